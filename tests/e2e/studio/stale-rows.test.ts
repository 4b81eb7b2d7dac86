import { it } from 'vitest';
import { generate, IMAGE } from '../setup/scenes/studio.ts';
import { useStudio } from '../setup/scenes/use-studio.ts';

const { browser, founder, visit } = useStudio();

it('an avatar deleted in another tab is refused with a message when it is deleted again, and leaves the page', async () => {
  const seat = await founder();
  const id = await generate(browser.app, seat, IMAGE);
  const { db } = seat.ctx;
  const asset = await db.asset.findFirstOrThrow({ where: { generationId: id } });
  const { accountId, memberId, productId, pathname } = asset;
  const avatarId = `ava_${asset.id.slice(4)}`;
  await db.avatar.create({
    data: {
      id: avatarId,
      accountId,
      memberId,
      productId,
      pathname,
      assetId: asset.id,
      name: 'Agnès',
      createdAt: new Date(),
    },
  });
  const page = await visit(seat, '/avatars');
  await page.getByRole('button', { name: 'Oublier Agnès' }).click();
  await db.avatar.update({
    where: { id: avatarId },
    data: { deletedAt: new Date(), binnedBy: memberId },
  });
  await page.getByRole('button', { name: 'Oublier l’avatar' }).click();
  await page.getByText('L’avatar n’a pas été oublié').first().waitFor();
  await page.getByText('Un avatar garde un visage d’une génération à l’autre').waitFor();
});
