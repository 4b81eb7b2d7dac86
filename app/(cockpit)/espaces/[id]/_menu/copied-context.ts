import { readJson } from '#app/_cockpit/act.ts';
import { toast } from '#app/_ui/toast.ts';

/** The context of a Space at the default length, to be copied. Shows a message if it is not complete. Throws `ApiError`. */
export async function copiedContext(spaceId: string): Promise<string> {
  const { context, truncated } = await readJson<{ context: string; truncated: boolean }>(
    `/api/brain/spaces/${spaceId}/context`,
  );
  if (truncated)
    toast({
      title: 'Ce contexte est partiel',
      description:
        'Tout n’y tient pas à la longueur habituelle. «\u00a0Prévisualiser le contexte\u00a0», dans le menu de l’espace, montre ce qui y manque et l’allonge.',
      name: 'context-partial',
    });
  return context;
}
