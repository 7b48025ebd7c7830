# A login shell forgets the PATH that it was started with, and VS Code uses that of a login shell: without this,
# neither its terminals nor its debugger find Node.js.
case ":$PATH:" in
  *:/opt/node/bin:*) ;;
  *) PATH=/opt/node/bin:$PATH ;;
esac
