#!/bin/sh
set -e
mkdir -p src/test/java/parcels
cp "tasks/$1/task_tests.java" src/test/java/parcels/TaskTests.java
exec mvn -B -q test
