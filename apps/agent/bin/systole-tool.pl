#!/usr/bin/perl
# What runs as crm_attribute, crm_mon and their kin on a node: hands the call to the node agent over its socket, does what a process of the caller's own has to do
# (standard input, files, going to the background, an external program), and prints the answer. Perl, because it is on every Debian (perl-base is essential) and starts
# within 3 ms; no module is loaded, because each would cost more than the call. The protocol: docs/decisions/0065-tools-through-a-small-client.md.
use strict;

my ($tool) = $0 =~ m{([^/]*)\z}s;
my @call = @ARGV;
my $path = $ENV{SYSTOLE_AGENT_SOCKET};
$path = '/run/systole-agent/tools.sock' if !defined $path || $path eq '';
# An agent at work says so every 5 s: who is silent for this long, s, hangs.
my $patience = 30;
my $detached = 0;
my $pidfile;

sub end_with { my ($code, $text) = @_; print STDERR "$tool: $text\n" unless $detached; unlink $pidfile if defined $pidfile; exit $code }
sub frame { my ($kind, $bytes) = @_; return "$kind " . length($bytes) . "\n$bytes" }

# Returns why there is no connection; undef when there is one.
sub open_call {
  my ($again) = @_;
  close AGENT;
  return "$path is too long for a socket" if length($path) > 107;
  socket(AGENT, 1, 1, 0) or return "socket: $!";
  connect(AGENT, pack('S a*', 1, "$path\0")) or return "the node agent does not answer at $path: $!";
  my $request = frame('tool', $tool);
  $request .= frame('arg', $_) for @call;
  for my $name (sort keys %ENV) {
    next unless $name =~ /\A(?:OCF_RESOURCE_INSTANCE|OCF_RESKEY_CRM_meta_.*|OCF_RA_VERSION_.*|CIB_.*|PCMK_.*|SYSTOLE_REASON|TZ|USER|LOGNAME)\z/s;
    $request .= frame('env', "$name=$ENV{$name}");
  }
  # Where Pacemaker keeps shadow copies, too.
  $request .= frame('env', 'CIB_shadow_dir=' . ($> == 0 ? '/var/lib/pacemaker/cib' : "$ENV{HOME}/.cib")) unless defined $ENV{CIB_shadow_dir};
  my $cwd = readlink '/proc/self/cwd';
  $request .= frame('cwd', $cwd) if defined $cwd;
  $request .= frame('again', '') if $again;
  return put(\*AGENT, $request . frame('end', '')) ? undef : "the node agent broke off: $!";
}

sub put {
  my ($to, $bytes) = @_;
  my $at = 0;
  while ($at < length $bytes) {
    my $n = syswrite $to, $bytes, length($bytes) - $at, $at;
    if (!defined $n) { next if $! == 4; return 0 }
    $at += $n;
  }
  return 1;
}

my $buffer = '';
sub fill {
  my $ready = '';
  vec($ready, fileno(AGENT), 1) = 1;
  my $found = select my $out = $ready, undef, undef, $patience;
  return -1 if defined $found && $found == 0;
  my $n = sysread AGENT, $buffer, 65536, length $buffer;
  return defined $n ? $n : 0;
}

# The next frame; nothing when the agent broke off or is silent.
sub take {
  my $length;
  while (1) {
    if (!defined $length && $buffer =~ /\A([a-z]+) ([0-9]{1,9})\n/) { $length = length($&) + $2 }
    if (defined $length && length $buffer >= $length) {
      my ($kind, $bytes) = substr($buffer, 0, $length, '') =~ /\A([a-z]+) [0-9]+\n(.*)\z/s;
      return ($kind, $bytes);
    }
    my $n = fill();
    return $n < 0 ? ('silent', '') : () if $n <= 0;
  }
}

# Of what is open here alone, too, such as bash's <(...).
sub send_file {
  my ($file) = @_;
  my $n;
  if (sysopen my $in, $file, 0) {
    my $chunk;
    while ($n = sysread $in, $chunk, 65536) { put(\*AGENT, frame('stdin', $chunk)) or return }
  }
  put(\*AGENT, defined $n ? frame('eof', '') : frame('unread', "$!"));
}

# Beside the file and then in its place: a reader sees the old one or the new one.
sub write_file {
  my ($file, $bytes) = @_;
  my $fresh = "$file.$$";
  sysopen(my $out, $fresh, 01 | 0100 | 01000, 0644) or return 0;
  my $written = put($out, $bytes) && close $out;
  return 1 if $written && rename $fresh, $file;
  unlink $fresh;
  return 0;
}

# What the call is about: with its directory, and not without telling.
sub create_file {
  my ($file, $bytes) = @_;
  my ($directory) = $file =~ m{\A(.+)/}s;
  mkdir $directory, 0750 if defined $directory && !-d $directory;
  write_file($file, $bytes) or end_with(73, "can't write $file: $!");
}

# In place: whoever has it open reads what is new, and its rights stay what they are.
sub overwrite {
  my ($file, $bytes) = @_;
  sysopen(my $out, $file, 01 | 01000) or return 0;
  return put($out, $bytes) && close $out;
}

sub detach {
  my ($file) = @_;
  my $pid = fork;
  end_with(71, "can't go to the background: $!") unless defined $pid;
  if ($pid != 0) { exit 0 }
  require POSIX;
  POSIX::setsid();
  $detached = 1;
  if ($file ne '') {
    $pidfile = $file;
    end_with(73, "can't write $file: $!") unless write_file($file, sprintf("%11d\n", $$));
  }
  open STDIN, '<', '/dev/null';
  open STDOUT, '>', '/dev/null';
  open STDERR, '>', '/dev/null';
  $SIG{$_} = sub { unlink $pidfile if defined $pidfile; exit 0 } for qw(TERM INT HUP);
}

# NAME=value for each variable, then the program, each ended by a NUL.
sub run_program {
  my @given = split /\0/, $_[0];
  my $program = pop @given;
  my $pid = fork;
  return unless defined $pid;
  if ($pid == 0) {
    for (@given) { my ($name, $value) = split /=/, $_, 2; $ENV{$name} = $value }
    exec { $program } $program;
    exit 127;
  }
  waitpid $pid, 0;
}

my $trouble = open_call(0);
end_with(102, $trouble) if defined $trouble;
while (1) {
  my ($kind, $bytes) = take();
  if (!defined $kind || $kind eq 'silent') {
    end_with(124, "the node agent is silent") if defined $kind && !$detached;
    end_with(102, "the node agent broke off") unless $detached;
    # The agent is started anew: what is shown goes on when it is back.
    do { sleep 2; $buffer = '' } while defined open_call(1);
  }
  elsif ($kind eq 'out') { put(\*STDOUT, $bytes) or end_with(74, "standard output: $!") }
  elsif ($kind eq 'err') { put(\*STDERR, $bytes) }
  elsif ($kind eq 'exit') { unlink $pidfile if defined $pidfile; exit $bytes }
  elsif ($kind eq 'stdin') {
    my $chunk;
    while (sysread STDIN, $chunk, 65536) { put(\*AGENT, frame('stdin', $chunk)) or last }
    put(\*AGENT, frame('eof', ''));
  }
  elsif ($kind eq 'read') { send_file($bytes) }
  elsif ($kind eq 'detach') { detach($bytes) }
  elsif ($kind eq 'file') { my ($file, $content) = split /\0/, $bytes, 2; put(\*STDERR, "$tool: can't write $file: $!\n") unless write_file($file, $content) }
  elsif ($kind eq 'overwrite') { my ($file, $content) = split /\0/, $bytes, 2; end_with(73, "can't write $file: $!") unless overwrite($file, $content) }
  elsif ($kind eq 'create') { create_file(split /\0/, $bytes, 2) }
  elsif ($kind eq 'remove') { unlink $bytes or end_with(73, "can't remove $bytes: $!") }
  elsif ($kind eq 'run') { run_program($bytes) }
}
