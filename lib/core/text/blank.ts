/** White space, controls, and what no font draws: zero-width and other default-ignorable code points, the blank of Braille. */
const UNSEEN = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nobody would see anything of a text: as a name, it would leave its row without one. */
export const isBlank = (text: string): boolean => UNSEEN.test(text);
