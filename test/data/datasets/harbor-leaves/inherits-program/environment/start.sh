#!/bin/bash
sleep 1000 &
exec "$@"
