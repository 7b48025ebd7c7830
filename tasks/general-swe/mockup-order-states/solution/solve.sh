#!/bin/bash
set -euo pipefail
# A compressed page, as draw.io writes it, too; larger and elsewhere on the page.
printf '<mxfile host="app"><diagram id="p" name="Page-1">%s</diagram></mxfile>\n' \
  '1ZjNbuMgEMefxncbnDS55mN7aavV5glYe9awwgbhcRP36YsDqVuRrFaqhOOLxfxhxvCzB0YkdFufHg3T/FmVIBOSlqeE7hJCVmlqn4PQO2F5ESojSidlo3AQb+DF8zC6T+jWKIWuVZ+2IIfwF1cX68eNXh9YMwMN/o9D4z1emez8PJ5Ui05ssZdeNFzVv7s2oZsjFwgHzYqh52gJWI1jLa2V2aYPBwbhdHNO2cdKLURQNaDp7RDv8EBWzsUDzNe5s4+iRO4j+HWlHETF8YLeaax1dvUReiRgGx7CDSAkALIDKeyCoAyoWFehW5iECk1JRCo0oPIL/nRNOTGUnKwnhJIHULasKeygialkNJ2QyiKgcuBC6ztLn9UyIpJlgOQnE/eVOVF5PAQ8XuB4VykTEweEZ7BmfYijrODgTWWQq0o1TO5HdWOU25HpLrXWOOZJKe1R/QXE3tccrEN1DeTwon9jtPNSnSng6+dEZirAz798iNuAZGhP0y/BvgUvPK9bu93MiN7yCr1FLHrhuc6MGd4wH36LK/xILH5hCVCcS4CZZ28ei19YLJhzXTnz/KWx+IWVRaFqLZloZkSQXCGYxSIY1iKFVO2cNkAaL4GtOd5NnPs+3YHQ/Ts=' \
  > /workspace/canvas.drawio
