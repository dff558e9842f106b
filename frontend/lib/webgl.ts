/** Who draws WebGL here: a graphics card, or the processor in its place. */

const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

/** Is this context drawn by the processor? Then a single frame holds up the whole page, for seconds on a small machine. */
export function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return SOFTWARE.test(String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
}

/** Can this browser draw in 3D without a pause? */
export function hasGraphicsCard(): boolean {
  try {
    const gl = document.createElement("canvas").getContext("webgl2");
    const found = gl !== null && !isSoftware(gl);
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return found;
  } catch {
    return false;
  }
}
