#!/bin/sh
printf "picoCTF{it_%s}\n" runs
