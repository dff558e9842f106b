/** How the app is built: a static export that any file server can carry, from this folder and the shared data beside it. */
import path from "node:path";
import type { NextConfig } from "next";

const config: NextConfig = {
  output: "export",
  trailingSlash: true, // every page is a folder with an index.html: refresh and deep links work on any file server
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  turbopack: { root: path.join(import.meta.dirname, "..") }, // contracts/lifecycle.json is shared with the contract tests
};

export default config;
