/** Home. */
export default function Home() {
  return <p className="measure">home</p>;
}
