#!/bin/bash
exec /opt/node/bin/node /tests/check.mjs
