#!/bin/sh
# Replaces mongosh: prints the query that it got as one document, or fails like one that reaches no server.
case "$3" in
  *:1/*) echo "MongoNetworkError: connect ECONNREFUSED 127.0.0.1:1" >&2; exit 1 ;;
esac
echo "a warning of the server"
printf '[%s,{"n":2},{"n":3}]\n' "$PWP_QUERY"
