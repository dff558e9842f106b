/** An ordinary static host for the exported site, compressing as any host does, with the node's own paths passed on to a network. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import path from "node:path";
import { createGzip } from "node:zlib";

const OUT = path.resolve(import.meta.dirname, "../../out");
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".txt": "text/plain", ".json": "application/json",
};
const PASSED_ON = /^\/(api|events|config\.json|health)/;

export type Host = { url: string; stop: () => Promise<void> };

/** Serve out/ on a free port. */
export async function startHost(network: string): Promise<Host> {
  const server: Server = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url ?? "/", "http://host");
    if (PASSED_ON.test(pathname)) {
      const { origin: _, ...headers } = asked.headers;
      const onward = request(network + asked.url, { method: asked.method, headers: { ...headers, host: new URL(network).host } }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      onward.on("error", () => answer.destroy());
      asked.pipe(onward);
      answer.on("close", () => onward.destroy());
      return;
    }
    let file = path.join(OUT, path.normalize(pathname));
    if (existsSync(file) && statSync(file).isDirectory()) file = path.join(file, "index.html");
    if (!file.startsWith(OUT) || !existsSync(file)) {
      answer.writeHead(404).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    const pressed = /text|json|svg/.test(type) && /gzip/.test(String(asked.headers["accept-encoding"]));
    answer.writeHead(200, {
      "content-type": type,
      "cache-control": pathname.startsWith("/_next/static/") ? "public, max-age=31536000, immutable" : "no-cache",
      ...(pressed ? { "content-encoding": "gzip" } : {}),
    });
    const body = createReadStream(file);
    if (pressed) body.pipe(createGzip()).pipe(answer);
    else body.pipe(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const stop = () => new Promise<void>((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
  return { url: `http://127.0.0.1:${port}`, stop };
}
