#!/bin/sh
# Stands for mongosh: gives back what it was asked for as its one document, or fails as one without a server does.
case "$3" in
  *:1/*) echo "MongoNetworkError: connect ECONNREFUSED 127.0.0.1:1" >&2; exit 1 ;;
esac
echo "a warning of the server"
printf '[%s,{"n":2},{"n":3}]\n' "$PWP_QUERY"
