/**
 * What could not be verified of each outside model, in French, by the English sentence of the reviewed table (`lib/providers/models`): a
 * founder decides on it. A test asks for each of them, and for none that the table no longer says.
 */
export const ASSUMPTIONS: Readonly<Record<string, string>> = {
  'Aspect ratios; that a further megapixel of reference costs as the first; 6 references.':
    'Les formats\u00a0; qu’un mégapixel de référence de plus coûte autant que le premier\u00a0; 6 références.',
  'That each megapixel of reference counts as a further one; aspect ratios.':
    'Que chaque mégapixel de référence compte comme un de plus\u00a0; les formats.',
  'That each megapixel of reference counts as a further one; aspect ratios; 6 references.':
    'Que chaque mégapixel de référence compte comme un de plus\u00a0; les formats\u00a0; 6 références.',
  'That a picture costs no more than one of 1.5 (third parties’ pages); a reference as 3,050 tokens of a picture (fal.ai, of gpt-image-1 in high fidelity) at $8 per million; 6 references; the three sizes of 1.5.':
    'Qu’une image ne coûte pas plus qu’une de la version 1.5 (pages de tiers)\u00a0; une référence comptée 3\u00a0050 jetons d’image (fal.ai, pour gpt-image-1 en haute fidélité) à 8\u00a0$US le million\u00a0; 6 références\u00a0; les trois tailles de la 1.5.',
  'That the picture comes back in its proportions; 4,000 characters.':
    'Que l’image revienne dans ses proportions\u00a0; 4\u00a0000 caractères.',
  'The price of a credit (third parties’ pages), and that 3.5 counts them as 3; that transparency is lost; 16.8 megapixels so that it is done within 120 s.':
    'Le prix d’un crédit (pages de tiers), et que la version 3.5 les compte comme la 3\u00a0; que la transparence est perdue\u00a0; 16,8 mégapixels pour finir en 120\u00a0s.',
  'That disabled thinking is heeded by every provider behind the gateway.':
    'Que chaque fournisseur derrière la passerelle respecte la réflexion désactivée.',
  'Prices (third parties’ pages, which disagree by up to 50 %); silent rate; that the gateway passes an end image and characters on, whose page says one input image.':
    'Les prix (pages de tiers, qui diffèrent jusqu’à 50\u00a0%)\u00a0; le tarif muet\u00a0; que la passerelle transmette l’image de fin et les personnages, quand sa page dit une seule image.',
  'Prices (third parties’ pages); silent rate; that the gateway passes an end image and characters on, whose page says one input image.':
    'Les prix (pages de tiers)\u00a0; le tarif muet\u00a0; que la passerelle transmette l’image de fin et les personnages, quand sa page dit une seule image.',
  'Prices (a third party’s page; that of 720p with sound is recalled); sides and ratios of images (third parties’ pages).':
    'Les prix (page d’un tiers\u00a0; celui du 720p avec le son, de mémoire)\u00a0; côtés et proportions des images (pages de tiers).',
  'The 1080p rates (recalled); the minimum token count of a request with a clip is not modelled; counts of references; the billed frame is taken as 16:9 (others differ by less than 1 %); rules of images and clips (copies of the maker’s page, and third parties’ pages).':
    'Les tarifs en 1080p (de mémoire)\u00a0; le nombre de jetons minimal d’une demande avec clip n’est pas compté\u00a0; le nombre de références\u00a0; l’image facturée est prise en 16:9 (les autres diffèrent de moins de 1\u00a0%)\u00a0; les règles des images et des clips (copies de la page du fabricant, et pages de tiers).',
  'Prices and rules (third parties’ pages); 30 s exist and are not offered; counts and files as 2.0.':
    'Les prix et les règles (pages de tiers)\u00a0; 30\u00a0s existent et ne sont pas proposées\u00a0; nombres et fichiers comme la version 2.0.',
  'The id is in the gateway’s list of language models (@ai-sdk/gateway 4.0.146); that its video route serves it is inferred.':
    'L’identifiant est dans la liste des modèles de langage de la passerelle (@ai-sdk/gateway 4.0.146)\u00a0; que sa route vidéo le serve est déduit.',
  'The model itself (Amazon Nova Reel, not in the gateway’s list), its price and limits (recalled).':
    'Le modèle lui-même (Amazon Nova Reel, absent de la liste de la passerelle), son prix et ses limites (de mémoire).',
  'The model itself (Wan Animate in its replace mode, not in the gateway’s list), its route and limits; another reseller’s price.':
    'Le modèle lui-même (Wan Animate en mode remplacement, absent de la liste de la passerelle), sa route et ses limites\u00a0; le prix est celui d’un autre revendeur.',
  '1080p price (recalled); rules of the image and the clip (a third party’s page).':
    'Le prix en 1080p (de mémoire)\u00a0; les règles de l’image et du clip (page d’un tiers).',
  'It reads the text’s own language and ignores `language_code` (livekit/agents#6197), which is not sent. Price (a third party’s page); 5,000 characters so that a reading fits in the 60 s budget.':
    'Il lit le texte dans sa langue et ignore `language_code` (livekit/agents#6197), qui n’est pas envoyé. Le prix (page d’un tiers)\u00a0; 5\u00a0000 caractères pour qu’une voix tienne en 60\u00a0s.',
  'That the file has as many frames a second as its clip; clip limits are ours.':
    'Que le fichier ait autant d’images par seconde que son clip\u00a0; les limites des clips sont les nôtres.',
  'The word of an image input (`type: image`): absent from @sync.so/sdk 0.3. That a file made of an image has 25 frames a second when it is held for: no page says how many; its own count or the provider’s figure is what is debited.':
    'Le mot qui désigne une image d’entrée (`type: image`)\u00a0: absent de @sync.so/sdk 0.3. Qu’un fichier fait d’une image ait 25 images par seconde au moment de retenir\u00a0: aucune page ne dit combien\u00a0; son propre compte, ou le prix du fournisseur, est débité.',
};
