/** Home. */
import { Anatomy } from "@/components/home/Anatomy";
import { FiveSteps } from "@/components/home/FiveSteps";
import { Hero } from "@/components/home/Hero";
import { HomeStats } from "@/components/home/Stats";
import { TwoContracts } from "@/components/home/TwoContracts";

export default function Home() {
  return (
    <>
      <Hero />
      <HomeStats />
      <Anatomy />
      <FiveSteps />
      <TwoContracts />
    </>
  );
}
