#!/usr/bin/perl
# An agent for palaver's Redis door, with nothing but what comes with Perl:
#   AGENT_URL=redis://NAME:TOKEN@HOST:PORT/0 perl agent.pl [BUS]
use strict;
use warnings;
use IO::Select;
use IO::Socket::IP;
use JSON::PP ();

# What your seat says to a question. Put your own here; die to say that there is no answer.
sub answer {
    my ($ask) = @_;
    my ($last) = grep { $_->{speaker} ne $ask->{seat} } reverse @{ $ask->{view} };
    my $heard = join "\n", map { $_->{text} // $_->{alt} // '(a picture)' } @{ $last->{parts} // [] };
    return "I am a small program in Perl and play $ask->{seat}. The last that I heard was: $heard";
}

my ($name, $token, $host, $port) = ($ENV{AGENT_URL} // '') =~ m{^redis://([^:]+):([^@]+)@(.+?)(?::(\d+))?(?:/0?)?$}
    or die "AGENT_URL is to be redis://NAME:TOKEN\@HOST:PORT/0\n";
$host =~ s/^\[(.*)\]$/$1/;
my ($bus, $me) = ($ARGV[0] // 'palaver', "bus/$name");
my $json = JSON::PP->new->utf8->canonical;
my ($sock, $buf, %sent);    # %sent: key => [attempt, what was said]
my ($notes, $unknown, $pause) = ('0-0', 0, 1);

sub more {                  # at least one byte more, or the connection is given up
    IO::Select->new($sock)->can_read(15) or die "no word from $host\n";
    sysread $sock, $buf, 65536, length $buf or die "the connection is gone\n";
}

sub reply {                 # one RESP 2 reply; undef is "nothing"
    more() until $buf =~ s/\A([-+:\$*])([^\r]*)\r\n//;
    my ($kind, $rest) = ($1, $2);
    die "-$rest\n" if $kind eq '-';
    return $rest   if $kind eq '+' || $kind eq ':';
    return undef   if $rest < 0;
    return [map { reply() } 1 .. $rest] if $kind eq '*';
    more() until length $buf >= $rest + 2;
    return substr substr($buf, 0, $rest + 2, ''), 0, $rest;
}

sub call {
    my $out = join '', '*' . @_ . "\r\n", map { '$' . length . "\r\n$_\r\n" } @_;
    while (length $out) { substr $out, 0, (syswrite $sock, $out or die "the connection is gone\n"), '' }
    return reply();
}

sub say_it  { call('XADD', "{$bus}:out:$me", '*', 'm', $json->encode({ version => '1.0', agent => $me, %{ $_[0] } })) }
sub entries { my $got = call('XREAD', @_) or return; map { [$_->[0], { @{ $_->[1] } }] } @{ $got->[0][1] } }
sub failure { { type => 'turn.failure', code => $_[0], message => $_[1], retryable => JSON::PP::false } }

sub work {
    $sock = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port // 6379, Timeout => 10) or die "no way to $host: $@\n";
    $buf = '';
    call('AUTH', $name, $token);
    my ($cursor, $hello, $key) = ('0-0', 0, sprintf '%x-%x-%x', time, $$, rand 2**32);
    while (1) {
        if (time - $hello >= 20) {
            say_it({ type => 'agent.hello', key => $key, software => 'agent.pl', pictures => JSON::PP::false, concurrency => 1 });
            ($hello, $cursor) = (time, '0-0');
        }
        for (entries('STREAMS', "{$bus}:note:$me", $notes)) {
            $notes = $_->[0];
            my $note = eval { $json->decode($_->[1]{m}) } or next;
            my ($code, $why) = ($note->{code}, $note->{reason} // '');
            warn "$code $why: $note->{message} ($note->{key})\n" if $code eq 'refused';
            next if $why eq 'too_fast' or !$sent{ $note->{key} };
            if ($code eq 'refused' && $why ne 'closed') { $sent{ $note->{key} }[1] = failure('bug', "refused: $why") }
            else                                        { delete $sent{ $note->{key} } }
        }
        for (entries('COUNT', 1, 'BLOCK', 2000, 'STREAMS', "{$bus}:in:$me", $cursor)) {
            $cursor = $_->[0];
            my $ask = eval { $json->decode($_->[1]{m}) } or warn("unreadable: $@"), next;
            next if $ask->{type} ne 'turn.request';
            my $said = $sent{ $ask->{key} };
            if (!$said || $said->[0] != $ask->{attempt}) {
                my $text = eval { answer($ask) };
                my $what = $@ ? failure('bug', $@) : { type => 'turn.reply', parts => [{ type => 'text', text => "$text" }] };
                $what = failure('too_large', 'the answer is too long') if length $json->encode($what) > 250_000;
                $said = $sent{ $ask->{key} } = [$ask->{attempt}, $what];
            }
            say_it({ %{ $said->[1] }, map { $_ => $ask->{$_} } qw(key run_id episode_id turn seat agent) });
        }
        ($unknown, $pause) = (0, 1);
    }
}

$SIG{PIPE} = 'IGNORE';
while (1) {
    eval { work() };
    warn $@;
    $unknown ||= time if $@ =~ /^-WRONGPASS/;
    die "the token has been changed or taken away\n" if $unknown && time - $unknown > 300;
    sleep $pause;
    $pause = $pause < 15 ? 2 * $pause : 30;
}
