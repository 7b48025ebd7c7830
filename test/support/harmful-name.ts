/** A suffix of names that would do harm in a page, a table, a terminal or TeX. */
export const harmful = `<img src=x onerror=alert(1)>"'&|\`$x$\\input{y}%#^~_*[a](b)\u0007\u001b[31m\u202e</script><script>alert(2)</script>\n`;
