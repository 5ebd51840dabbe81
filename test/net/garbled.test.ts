import { expect, test } from 'vitest'
import { garbledText } from '../../src/engine/net/charset.ts'

const words = 'Grüße aus Köln, “très bien”, ¿qué? Ã and â€ alone. '

test.each([
  ['letters of many languages', words.repeat(50)],
  ['a character that was cut apart', `${words}\uFFFD \uFFFD`],
  ['a page about garbled text', words.repeat(3000) + 'Ã© Ã¨ Ã¼ â€™'],
])('%s is not reported', (_what, text) => expect(garbledText(text)).toBeUndefined())

test('replacement characters are counted', () =>
  expect(garbledText(`Gr\uFFFD\uFFFDe aus K\uFFFDln`)).toMatch(/^3 characters of the page are lost/))

test('text that was encoded twice is reported', () => {
  const twice = Buffer.from('Grüße, très élégant, l’été').toString('latin1')
  expect(garbledText(twice)).toMatch(/encoded twice/)
  expect(garbledText('donâ€™t, itâ€™s, â€œsoâ€\u009D')).toMatch(/encoded twice/)
})
