#!/bin/bash
printf done > /app/done.txt
