#!/usr/bin/perl
# An agent in Perl, with nothing but what comes with Perl. What it speaks is in docs/protocol.md.
#   PALAVER_URL=redis://NAME:TOKEN@HOST:PORT perl agent.pl
use strict; use warnings;
use IO::Select;
use IO::Socket::IP;
use JSON::PP ();

# What the seat says: put your own here. To have no answer, die; and to be asked again,
# die { code => 'rate_limited', message => 'in a moment', retryable => JSON::PP::true }.
sub answer {
    my ($ask)  = @_;
    my ($last) = grep { $_->{speaker} ne $ask->{seat} } reverse @{ $ask->{view} };
    my @heard  = map  { $_->{text} // $_->{alt} // 'a picture' } @{ $last->{parts} // [] };
    return "I am a small program in Perl, and play $ask->{seat}. The last that I heard was: @heard";
}

my $form = qr{^redis://([^:]+):([^@]+)@([^/]+?)(?::(\d+))?(?:/0?)?(?:\?bus=(.+))?$};
my ($name, $token, $host, $port, $bus) = ($ENV{PALAVER_URL} // '') =~ $form
    or die "set PALAVER_URL to redis://NAME:TOKEN\@HOST:PORT\n";
my ($me, $prefix, $json) = ("bus/$name", '{' . ($bus // 'palaver') . '}', JSON::PP->new->utf8);
my ($sock, $buf, $noted, $pause, %said) = (undef, '', '0-0', 1);    # %said: key => [attempt, what was said]

sub more { IO::Select->new($sock)->can_read(15) && sysread $sock, $buf, 65536, length $buf or die "the line is dead\n" }

sub reply {
    more() until $buf =~ s/\A([-+:\$*])(.*?)\r\n//s;
    my ($kind, $rest) = ($1, $2);
    die "-$rest\n" if $kind eq '-';
    return $rest   if $kind eq '+' || $kind eq ':';
    return undef   if $rest < 0;
    return [map { reply() } 1 .. $rest] if $kind eq '*';
    more() until length $buf >= $rest + 2;
    return substr substr($buf, 0, $rest + 2, ''), 0, -2;
}

sub call {
    my $out = join '', '*' . @_ . "\r\n", map { '$' . length() . "\r\n$_\r\n" } @_;
    substr $out, 0, (syswrite $sock, $out or die "the connection is gone\n"), '' while length $out;
    return reply();
}

sub put_out { call('XADD', "$prefix:out:$me", '*', 'm', $json->encode({ version => '1.0', agent => $me, @_ })) }
sub message { eval { $json->decode({ @{ $_[0] } }->{m}) } // {} }
sub entries { map { [$_->[0], message($_->[1])] } @{ (call('XREAD', @_) // [])->[0][1] // [] } }
sub failure { { type => 'turn.failure', code => $_[0], message => "$_[1]", retryable => JSON::PP::false } }

sub think {
    my $what = eval { { type => 'turn.reply', parts => [{ type => 'text', text => '' . answer($_[0]) }] } }
        || (ref $@ ? { type => 'turn.failure', %{$@} } : failure('bug', $@));
    return length $json->encode($what) < 260_000 ? $what : failure('too_large', 'what it said is too long');
}

sub visit {
    $sock = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port // 6379, Timeout => 10) or die "no way in: $@\n";
    $buf  = ''; call('AUTH', $name, $token);
    for (my ($cursor, $hello, $start) = ('0-0', 0, time . "-$$");; $pause = 1) {
        if (time - $hello >= 20) {    # say hello, and look at all that is open again
            put_out(type => 'agent.hello', key => $start, software => 'agent.pl', pictures => JSON::PP::false);
            ($hello, $cursor) = (time, '0-0');
        }
        for (entries('STREAMS', "$prefix:note:$me", $noted)) {
            ($noted, my ($key, $code, $why)) = ($_->[0], map { $_ // '' } @{ $_->[1] }{qw(key code reason)});
            warn "refused, $why: $_->[1]{message} ($key)\n" if $code eq 'refused';
            next if $why eq 'too_fast' || !$said{$key};
            if ($code ne 'refused' || $why eq 'closed') { delete $said{$key} }
            else                                        { $said{$key}[1] = failure('bug', "refused, $why") }
        }
        for (entries('COUNT', 1, 'BLOCK', 2000, 'STREAMS', "$prefix:in:$me", $cursor)) {
            ($cursor, my $ask) = @$_;
            next if ($ask->{type} // '') ne 'turn.request';
            my $known = $said{ $ask->{key} };
            $known = $said{ $ask->{key} } = [$ask->{attempt}, think($ask)] if !$known || $known->[0] != $ask->{attempt};
            put_out(%{ $known->[1] }, map { $_ => $ask->{$_} } qw(key run_id episode_id turn seat));
        }
    }
}

$SIG{PIPE} = 'IGNORE'; binmode STDERR, ':encoding(UTF-8)';
for (;; sleep $pause, $pause = $pause < 15 ? 2 * $pause : 30) { eval { visit() }; warn $@ }
