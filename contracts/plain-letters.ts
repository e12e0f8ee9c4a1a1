const spelledOut: Record<string, string> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ı: 'i' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe' },
}

/** Like `folded()` in the database: lower case, without accents and trade marks. The home page loads it, so it is small. */
export const plainLetters = (text: string): string =>
  text
    .replaceAll(/[™®©]/g, '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[øłđıßæœ]/g, (letter) => spelledOut[letter] ?? letter)
