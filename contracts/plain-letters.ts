const spelledOut: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ı: 'i' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe' },
}

/**
 * Lower-cases a text and removes accents and trademark signs, like `folded()` in the database. The
 * home page loads this module, so keep it small.
 */
export const plainLetters = (text: string): string =>
  text
    .replaceAll(/[™®©]/g, '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[øłđıßæœ]/g, (letter) => spelledOut[letter] ?? letter)
