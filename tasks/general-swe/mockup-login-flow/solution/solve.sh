#!/bin/bash
set -euo pipefail
# A compressed page, as draw.io writes it, too; larger and elsewhere on the page.
printf '<mxfile host="app"><diagram id="p" name="Page-1">%s</diagram></mxfile>\n' \
  '1ZbBboMwDIafhjsQirprO7ZLd+IJMrCADTAKppQ9/UxJS1HaqtI2ul5Q/Dt2ki+JiSXWxe5VySp9wxhyy7XjnSWeLddd2jZ/e6EbBP8gJCqLB8kZhTD7Ai3uu4nAEmuFSEOr2K0h79MfQodcLxe8OnElFZR0S0CpI7Yyb/Q8Nhh9siKjCBtOsnfX1OXarViNoQ+3LbFq04wgrGTUe1vmwVpKRc6Ww02dHBTB7uIMneO6GSlgAaQ67nIIEBqfxrnwvcFus5hS3Uev0k4hS1I6cB80WQ92ckw98uCGRnIBj2vgCVNs+5E42RU2zixsPM+dsBFP/oxshMFmjUpBxGO8mGgY2HtT3+XIiOWNWJa/gcUzsAQlgdqvoK5bVPG/u1O88hnPzcK8UySVWWk4LKtquAsR353vxIBZg00WcQKhNlFRigmWMg9GdTU9Q2OfDWKlOX0AUad/OLIhPEexH+g6Q54XNiqC6W7yDiZAp1fAZK0gl5Rtp/l/RM59ZHLeGXJiLnJm8e6gfiB44gw8dy54Zokv8cHZOX/Djs3xMbv3nTyaRfAN' \
  > /workspace/canvas.drawio
