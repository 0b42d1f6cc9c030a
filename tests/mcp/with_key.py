"""A way to /mcp that adds the API key, for programs that cannot send one: with_key.py PORT URL."""

import http.client
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

UPSTREAM = urlsplit(sys.argv[2]).netloc


class Pass(BaseHTTPRequestHandler):
    def do(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        upstream = http.client.HTTPConnection(UPSTREAM)
        upstream.request(self.command, self.path, body, {**self.headers, "x-api-key": os.environ["RADAR_API_KEY"]})
        answer = upstream.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = do

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Pass).serve_forever()
