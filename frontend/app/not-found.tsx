/** No such page. */
import { ButtonLink } from "@/components/ui/Button";
import { PageHead } from "@/components/ui/Page";

export default function NotFound() {
  return <PageHead title="There is no such page" lead="The address may be mistyped, or the page may have moved." actions={<ButtonLink href="/">Home</ButtonLink>} />;
}
