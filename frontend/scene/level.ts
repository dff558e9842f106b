/** The spirit level as a mesh: a dark body with ticks, a vial of bright liquid, a bubble, two lines. */
import {
  BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, Mesh, MeshPhysicalMaterial, MeshStandardMaterial, SphereGeometry, TorusGeometry,
} from "three";

const VIAL = new Color("#b4dd1a");
const INK = new Color("#11191c");

export type Level = { group: Group; bubble: Mesh; liquid: MeshPhysicalMaterial; dispose: () => void };

const REACH = 1.5; // how far the bubble can go from the middle

export function bubbleAt(percent: number): number {
  return REACH * (Math.min(100, Math.max(0, percent)) / 50 - 1);
}

export function buildLevel(): Level {
  const group = new Group();
  const ink = new MeshStandardMaterial({ color: INK, roughness: 0.38, metalness: 0.65 });
  const bright = new MeshStandardMaterial({ color: VIAL, roughness: 0.5, emissive: VIAL, emissiveIntensity: 0.12 });
  const liquid = new MeshPhysicalMaterial({ color: VIAL, roughness: 0.06, clearcoat: 1, clearcoatRoughness: 0.04, emissive: VIAL, emissiveIntensity: 0.1, envMapIntensity: 0.75 });
  const air = new MeshPhysicalMaterial({ color: new Color("#f8ffe0"), roughness: 0.03, clearcoat: 1, transparent: true, opacity: 0.9 });
  const glass = new MeshPhysicalMaterial({ color: new Color("#ffffff"), roughness: 0, transparent: true, opacity: 0.14, clearcoat: 1, depthWrite: false });

  const body = new Mesh(new BoxGeometry(5.2, 1.5, 0.9), ink);
  const rail = new Mesh(new BoxGeometry(5.34, 0.16, 1.04), ink);
  rail.position.y = -0.8;
  const vial = new Mesh(new CapsuleGeometry(0.46, 3.5, 12, 32), liquid);
  const cover = new Mesh(new CapsuleGeometry(0.51, 3.56, 12, 32), glass);
  for (const tube of [vial, cover]) {
    tube.rotation.z = Math.PI / 2;
    tube.position.z = 0.36;
  }
  const bubble = new Mesh(new SphereGeometry(0.34, 32, 20), air);
  bubble.scale.set(1.35, 0.72, 0.8);
  bubble.position.set(0, 0.13, 0.66);
  group.add(body, rail, vial, bubble, cover);

  for (const x of [-0.56, 0.56]) {
    const line = new Mesh(new TorusGeometry(0.5, 0.022, 8, 48), ink);
    line.rotation.y = Math.PI / 2;
    line.position.set(x, 0, 0.36);
    group.add(line);
  }
  const tick = new BoxGeometry(0.018, 0.13, 0.02);
  const long = new BoxGeometry(0.022, 0.24, 0.02);
  for (let at = 0; at <= 40; at++) {
    const mark = new Mesh(at % 5 === 0 ? long : tick, bright);
    mark.position.set(-2.4 + at * 0.12, -0.63 + (at % 5 === 0 ? 0.055 : 0), 0.46);
    group.add(mark);
  }
  for (const x of [-2.42, 2.42]) {
    const cap = new Mesh(new CylinderGeometry(0.09, 0.09, 0.06, 20), bright);
    cap.rotation.x = Math.PI / 2;
    cap.position.set(x, 0.52, 0.46);
    group.add(cap);
  }
  return { group, bubble, liquid, dispose: () => disposeAll(group) };
}

function disposeAll(group: Group): void {
  group.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    part.geometry.dispose();
    for (const material of Array.isArray(part.material) ? part.material : [part.material]) material.dispose();
  });
}
