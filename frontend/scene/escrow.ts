/** The 3D escrow scene: a spirit level whose bubble stands where the money went. A leaf: nothing imports it statically, nothing depends on it. */
import { DirectionalLight, NeutralToneMapping, PerspectiveCamera, PMREMGenerator, Scene, WebGLRenderer } from "three";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import { isSoftware } from "@/lib/webgl";
import { bubbleAt, buildLevel } from "./level";
import { startPace } from "./pace";

export type SceneState = {
  /** Which part of all settled money went to providers, 0 to 100. */
  percent: number;
  /** Which part of all money ever locked still waits, 0 to 1. */
  held: number;
};

export type SceneHandle = { show: (state: SceneState) => void; dispose: () => void };

const MAX_PIXEL_RATIO = 1.75;

/** Draw into `holder` until disposed. null when the browser will not give a WebGL context. */
export function mountEscrow(holder: HTMLElement, first: SceneState): SceneHandle | null {
  let renderer: WebGLRenderer;
  try {
    renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: "low-power" });
  } catch {
    return null;
  }
  renderer.toneMapping = NeutralToneMapping; // keeps the vial's colour where a film curve would wash it out
  const canvas = renderer.domElement;
  canvas.style.cssText = "display:block;width:100%;height:100%";
  holder.append(canvas);

  const scene = new Scene();
  const camera = new PerspectiveCamera(28, 1, 0.1, 50);
  camera.position.set(0, 0.7, 9.6);
  camera.lookAt(0, 0, 0);
  const room = new PMREMGenerator(renderer);
  const light = room.fromScene(new RoomEnvironment(), 0.03).texture;
  scene.environment = light;
  const sun = new DirectionalLight("#ffffff", 1.2);
  sun.position.set(-3, 5, 6);
  const level = buildLevel();
  scene.add(sun, level.group);

  let state = first;
  let place = bubbleAt(first.percent);
  const pointer = { x: 0, y: 0 };

  const draw = (seconds: number) => {
    const target = bubbleAt(state.percent);
    place += still ? target - place : (target - place) * 0.05;
    const sway = still ? 0 : Math.sin(seconds * 0.7) * 0.05;
    level.bubble.position.x = place + sway - pointer.x * 0.12;
    level.group.rotation.set(0.16 - pointer.y * 0.06, -0.34 + pointer.x * 0.14, 0.06 + (still ? 0 : Math.sin(seconds * 0.35) * 0.012));
    level.liquid.emissiveIntensity = 0.06 + 0.16 * state.held;
    renderer.render(scene, camera);
  };
  const slow = isSoftware(renderer.getContext());
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let still = slow || calm.matches;
  const onCalm = () => {
    still = slow || calm.matches;
    pace.touch();
  };
  calm.addEventListener("change", onCalm);
  const pace = startPace({ holder, draw, slow });
  const fit = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = holder;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    pace.touch();
  });
  fit.observe(holder);
  const onPointer = (event: PointerEvent) => {
    pointer.x = (event.clientX / innerWidth) * 2 - 1;
    pointer.y = (event.clientY / innerHeight) * 2 - 1;
  };
  if (!slow) window.addEventListener("pointermove", onPointer, { passive: true });

  return {
    show: (next) => {
      state = next;
      pace.touch();
    },
    dispose: () => {
      pace.dispose();
      fit.disconnect();
      calm.removeEventListener("change", onCalm);
      window.removeEventListener("pointermove", onPointer);
      level.dispose();
      light.dispose();
      room.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
      canvas.remove();
    },
  };
}
