#!/usr/bin/perl
# An agent in Perl, with nothing but what comes with Perl. What it speaks is docs/protocol.md.
#   PALAVER_URL=redis://NAME:TOKEN@HOST:PORT perl agent.pl [BUS]
use strict;
use warnings;
use IO::Select;
use IO::Socket::IP;
use JSON::PP ();

# What the seat says: put your own here. Who dies has no answer.
sub answer {
    my ($ask)  = @_;
    my ($last) = grep { $_->{speaker} ne $ask->{seat} } reverse @{ $ask->{view} };
    my @heard  = map { $_->{text} // $_->{alt} // 'a picture' } @{ $last->{parts} // [] };
    return "I am a small program in Perl, and play $ask->{seat}. The last that I heard was: @heard";
}

my ($name, $token, $host, $port) = ($ENV{PALAVER_URL} // '') =~ m{^redis://([^:]+):([^@]+)@(.+?)(?::(\d+))?(?:/0?)?$}
    or die "PALAVER_URL is to be redis://NAME:TOKEN\@HOST:PORT\n";
my ($bus, $me, $json) = ($ARGV[0] // 'palaver', "bus/$name", JSON::PP->new->utf8);
my ($sock, $buf, $noted, $pause, %said) = (undef, '', '0-0', 1);    # %said: key => [attempt, what was said]

sub more {
    IO::Select->new($sock)->can_read(15) && sysread $sock, $buf, 65536, length $buf or die "the connection is gone\n";
}

sub reply {
    more() until $buf =~ s/\A([-+:\$*])(.*?)\r\n//s;
    my ($kind, $rest) = ($1, $2);
    die "-$rest\n" if $kind eq '-';
    return $rest if $kind eq '+' || $kind eq ':';
    return undef if $rest < 0;
    return [map { reply() } 1 .. $rest] if $kind eq '*';
    more() until length $buf >= $rest + 2;
    return substr substr($buf, 0, $rest + 2, ''), 0, $rest;
}

sub call {
    my $out = join '', '*' . @_ . "\r\n", map { '$' . length() . "\r\n$_\r\n" } @_;
    substr $out, 0, (syswrite $sock, $out or die "the connection is gone\n"), '' while length $out;
    return reply();
}

sub send_it { call('XADD', "{$bus}:out:$me", '*', 'm', $json->encode({ version => '1.0', agent => $me, @_ })) }
sub entries { map { [$_->[0], $json->decode({ @{ $_->[1] } }->{m})] } @{ (call('XREAD', @_) // [])->[0][1] // [] } }
sub failure { { type => 'turn.failure', code => $_[0], message => substr($_[1], 0, 500), retryable => JSON::PP::false } }

sub visit {
    $sock = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port // 6379, Timeout => 10) or die "no way to $host: $@\n";
    $buf = '';
    call('AUTH', $name, $token);
    for (my ($cursor, $hello, $key) = ('0-0', 0, time . "-$$");; $pause = 1) {
        if (time - $hello >= 20) {    # and look at all that is open again
            send_it(type => 'agent.hello', key => $key, software => 'agent.pl', pictures => JSON::PP::false);
            ($hello, $cursor) = (time, '0-0');
        }
        for (entries('STREAMS', "{$bus}:note:$me", $noted)) {
            ($noted, my ($key, $code, $why)) = ($_->[0], map { $_ // '' } @{ $_->[1] }{qw(key code reason)});
            warn "$code $why: $_->[1]{message} ($key)\n" if $code eq 'refused';
            next if $why eq 'too_fast' || !$said{$key};
            if ($code eq 'refused' && $why ne 'closed') { $said{$key}[1] = failure('bug', "refused: $why") }
            else                                        { delete $said{$key} }
        }
        for (entries('COUNT', 1, 'BLOCK', 2000, 'STREAMS', "{$bus}:in:$me", $cursor)) {
            ($cursor, my $ask) = @$_;
            next if $ask->{type} ne 'turn.request';
            my ($key, $attempt) = @$ask{qw(key attempt)};
            if (!$said{$key} || $said{$key}[0] != $attempt) {
                my $text = eval { answer($ask) };
                my $what = $@ ? failure('bug', $@) : { type => 'turn.reply', parts => [{ type => 'text', text => "$text" }] };
                $said{$key} = [$attempt, length $json->encode($what) < 260_000 ? $what : failure('too_large', 'too long')];
            }
            send_it(%{ $said{$key}[1] }, map { $_ => $ask->{$_} } qw(key run_id episode_id turn seat));
        }
    }
}

$SIG{PIPE} = 'IGNORE';
for (;; $pause = $pause < 15 ? 2 * $pause : 30) {
    eval { visit() };
    warn $@;
    sleep $pause;
}
