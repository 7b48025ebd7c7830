base64 -d flag.b64
