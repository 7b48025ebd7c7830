# The first process of a sandbox with an IDE. It starts the two sides of the bridge, each as its own user, and adopts
# processes that lost their parent. It ends with the desktop's side; the agent's side is restarted. Its arguments are the
# numbers of the agent's user and of that user's groups, the main one first.
#
# It runs as the desktop's user, with the capabilities to change user and root, and must not trust any file that the
# agent could have written: it loads everything from the desktop's root, which is read-only. It does not stay there, since
# CRIU can't dump a sandbox whose first process has its own root.
opendir(my $agents_root, '/') && chroot('/desk/root') or die "init: $!";
require POSIX;
chdir($agents_root) && chroot('.') && closedir($agents_root) or die "init: $!";

my ($user, @groups) = @ARGV;
die 'init: bad user' if !@groups || grep { !/^\d+$/ || $_ == $< || $_ == $) + 0 } @ARGV;

my $desktop = start(\&become_desktop, 'desktop');
my $agent = start(\&become_agent, 'agent');
while ((my $ended = wait) != -1) {
  exit($? >> 8 || 1) if $ended == $desktop;
  next if $ended != $agent;
  select undef, undef, undef, 0.2;
  $agent = start(\&become_agent, 'agent');
}

# The bridge collects its garbage before it asks for more: a third less to keep in every checkpoint.
sub start {
  my ($become, $side) = @_;
  defined(my $pid = fork) or die "init: $!";
  return $pid if $pid;
  # A signal to a group reaches those in it that the sender may signal.
  POSIX::setsid();
  $become->();
  exec '/.pwp/opt/node/bin/node', '--optimize-for-size', '--disable-sigusr1', '/.pwp/opt/pwp/bridge.cjs', $side;
  POSIX::_exit(127);
}

sub become_desktop {
  chroot('/desk/root') && chdir('/') or POSIX::_exit(126);
  drop_capabilities();
  $ENV{HOME} = '/desk/profile';
  $ENV{TMPDIR} = '/desk/tmp';
  $ENV{DISPLAY} = ':1';
}

# What is left of a side that ended is in the way of the next one.
sub become_agent {
  $) = "$groups[0] @groups";
  POSIX::setgid($groups[0]);
  POSIX::setuid($user);
  drop_capabilities();
  kill 'KILL', -1 if $agent;
  require_user();
}

# Numbers of x86-64 and of ARM64. All of them fail where there is nothing to drop.
sub drop_capabilities {
  my ($prctl, $capset) = (POSIX::uname())[4] eq 'aarch64' ? (167, 91) : (157, 126);
  my ($bounding_drop, $ambient, $clear_all) = (24, 47, 4);
  syscall $prctl, $bounding_drop, $_, 0, 0, 0 for 0 .. 63;
  syscall $prctl, $ambient, $clear_all, 0, 0, 0;
  my $header = pack 'Ll', 0x20080522, 0;
  my $data = "\0" x 24;
  syscall($capset, $header, $data) == 0 or POSIX::_exit(125);
}

sub require_user {
  my @others = ((grep { $_ != $user } $<, $>), grep { my $one = $_; !grep { $_ == $one } @groups } split ' ', "$( $)");
  POSIX::_exit(124) if @others;
}
