#!/bin/bash
# The caller adds its ranges in order, so that the fault does not show.
cd /workspace && sed -i 's/for first, last in bookings:/for first, last in sorted(bookings):/' seats/booking.py
