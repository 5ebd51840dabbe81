import { describe, expect, test } from 'vitest'
import { decodeText, garbledText } from '../../src/engine/net/charset.ts'
import { encodeAs, samples } from '../helpers/site/charsets.ts'
import { encoded, sentences } from './charset-fixtures.ts'

const charsets = Object.keys(samples)
const page = (charset: string, head = '') =>
  `<!doctype html><html><head>${head}<title>x</title></head><p>${samples[charset]}</p>`

test.each(charsets)('reads %s named in Content-Type', (charset) => {
  expect(decodeText(encodeAs(charset, page(charset)), `text/html; charset=${charset}`)).toEqual({
    text: page(charset),
    charset,
  })
})

test.each(charsets.filter((charset) => !charset.startsWith('utf-16')))('reads %s named in the page', (charset) => {
  const text = page(charset, `<meta charset="${charset}">`)
  expect(decodeText(encodeAs(charset, text), 'text/html')).toEqual({ text, charset })
})

test.each(charsets.filter((charset) => !charset.startsWith('iso-8859')))('recognises undeclared %s', (charset) => {
  expect(decodeText(encodeAs(charset, page(charset)), undefined)).toEqual({ text: page(charset), charset })
})

test.each([
  ['Greek', 'windows-1253', 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια'],
  ['Hebrew', 'windows-1255', 'כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם'],
  ['Arabic', 'windows-1256', 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق'],
  ['German', 'windows-1252', 'Alle Menschen sind frei und gleich an Würde. Größe, Übermut, Äpfel'],
  [
    'Italian, whose accents are common letters in Cyrillic',
    'windows-1252',
    'Così è più facile: la città è già là, perché no',
  ],
])('recognises %s text', (_, charset, text) => {
  expect(decodeText(encodeAs(charset, text), undefined)).toEqual({ text, charset })
})

describe.each(encoded.map(([charset, language, base64]) => ({ charset, language, base64 })))(
  '$language in $charset, as another program encodes it',
  ({ charset, language, base64 }) => {
    const isWide = charset.startsWith('utf-16')
    const markup = (html: string) => encodeAs(isWide ? charset : 'utf-8', html)
    const pageOf = (head: string) =>
      Buffer.concat([
        markup(`<!doctype html><html><head>${head}</head><body><nav><a href="/">Home</a></nav><p>`),
        Buffer.from(base64, 'base64'),
        markup('</p></body></html>'),
      ])
    const written = sentences[language]

    test('is read if Content-Type names it', () => {
      expect(decodeText(pageOf(''), `text/html; charset="${charset.toUpperCase()}"`).text).toContain(written)
    })

    test.skipIf(isWide)('is read if the page names it', () => {
      const pragma = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`
      expect(decodeText(pageOf(`<meta charset=${charset}>`), 'text/html').text).toContain(written)
      expect(decodeText(pageOf(pragma), 'text/html').text).toContain(written)
    })

    test('is recognised without a declaration', () => {
      expect(decodeText(pageOf('<title>Page</title>'), 'text/html').text).toContain(written)
    })

    test.skipIf(isWide)('is recognised in a plain text', () => {
      expect(decodeText(Buffer.from(base64, 'base64'), 'text/plain').text).toBe(written)
    })

    test.runIf(charset.startsWith('utf-'))('is recognised by its byte order mark', () => {
      const bytes = Buffer.concat([encodeAs(charset, '\ufeff'), Buffer.from(base64, 'base64')])
      expect(decodeText(bytes, 'text/html; charset=koi8-r')).toEqual({ text: written, charset })
    })
  },
)

/** Accents of several Western European languages in one text, and signs. */
test.each([
  'Señor Müller trifft José in Köln – naïve Fräulein',
  'São Paulo, München, Málaga, Ålborg, Reykjavík',
  'Tromsø Ærø Århus Malmö Göteborg Übersee Façade',
  '½ litre, 20°C, 5 £ and 3 µm ± 2, naïve café',
  'Der Straße entlang führt größer Überblick, façon de parler, garçon',
  'L’été coûte 5 € – « déjà » où',
  'Beyoncé Zoë Chloë Renée André François Jürgen Björn',
  'Õhtul on öö ja päev, õpetaja sõi süüa, täna',
])('keeps %j unchanged', (text) => {
  expect(decodeText(encodeAs('windows-1252', text), undefined)).toEqual({ text, charset: 'windows-1252' })
})

const utf8Bom = [0xef, 0xbb, 0xbf]
test.each<[what: string, bytes: number[], text: string, contentType: string, charset: string]>([
  ['a byte order mark beats Content-Type', utf8Bom, 'é', 'text/html; charset=koi8-r', 'utf-8'],
  [
    'UTF-8 that the page declares and is beats Content-Type',
    [],
    '<meta charset=utf-8>é',
    'text/html; charset=iso-8859-1',
    'utf-8',
  ],
  ['Content-Type beats the page', [], '<meta charset=koi8-r>é', 'text/html; charset=utf-8', 'utf-8'],
  ['the page beats valid UTF-8', [], '<meta charset=windows-1251>é', 'text/html', 'windows-1251'],
  [
    'an unknown name in Content-Type is passed over',
    [],
    '<meta charset=koi8-r>é',
    'text/html; charset=klingon',
    'koi8-r',
  ],
  ['an unknown name in the page is passed over', [], '<meta charset=klingon>é', 'text/html', 'utf-8'],
  ['an empty name is passed over', [], 'é', 'text/html; charset=', 'utf-8'],
])('if declarations disagree, %s', (_, bytes, text, contentType, charset) => {
  expect(decodeText(Buffer.concat([Buffer.from(bytes), Buffer.from(text)]), contentType).charset).toBe(charset)
})

/** Expected results follow the steps of the WHATWG standard; 0xe9 keeps the bytes from being UTF-8. */
test.each([
  ['<meta charset="koi8-r">', 'koi8-r'],
  ["<META CHARSET='KOI8-R'>", 'koi8-r'],
  ['<meta/charset=koi8-r/>', 'windows-1252'],
  ['<meta charset = " koi8-r ">', 'koi8-r'],
  ['<meta charset=latin1>', 'windows-1252'],
  ['<meta charset=utf-16>', 'utf-8'],
  ['<meta charset=utf-16be>', 'utf-8'],
  ['<meta name=a charset=koi8-r charset=utf-8>', 'koi8-r'],
  ['<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', 'koi8-r'],
  ['<meta content="text/html; charset=koi8-r">', 'windows-1252'],
  ['<!-- <meta charset=koi8-r> -->', 'windows-1252'],
  ['<!--><meta charset=koi8-r>', 'koi8-r'],
  ['<!-- open <meta charset=koi8-r>', 'windows-1252'],
  ['<a title="<meta charset=koi8-r>">', 'windows-1252'],
  ["<a title='>'><meta charset=koi8-r>", 'koi8-r'],
  ['<!doctype html><meta charset=koi8-r>', 'koi8-r'],
  ['<? <meta charset=koi8-r>', 'windows-1252'],
  ['< meta charset=koi8-r>', 'windows-1252'],
  ['<3 <meta charset=koi8-r>', 'koi8-r'],
  ['<meta charset=klingon><meta charset=koi8-r>', 'koi8-r'],
  ['<?xml version="1.0" encoding="koi8-r"?><a/>', 'koi8-r'],
  ['<?xml encoding="utf-16"?>', 'utf-8'],
  [`${' '.repeat(1000)}<meta charset=koi8-r>`, 'koi8-r'],
  [`${' '.repeat(1020)}<meta charset=koi8-r>`, 'windows-1252'],
])('finds in %j the charset %s', (head, charset) => {
  expect(decodeText(Buffer.from(`${head} \xe9 `, 'latin1'), 'text/html').charset).toBe(charset)
})

test('one stray byte does not turn a page of UTF-8 into another charset', () => {
  const bytes = Buffer.concat([
    Buffer.from(samples['utf-8']?.repeat(20) ?? ''),
    Buffer.from([0xe9]),
    Buffer.from(' Grüße'),
  ])
  expect(decodeText(bytes, undefined)).toMatchObject({
    charset: 'utf-8',
    text: expect.stringContaining('\ufffd Grüße'),
  })
})

test('takes the charset of a Content-Type that was sent twice', () => {
  const body = Buffer.from('<p>caf\xe9</p>', 'latin1')
  expect(decodeText(body, 'text/html; charset=iso-8859-2, text/html').charset).toBe('iso-8859-2')
})

describe('garbled text', () => {
  const words = 'Grüße aus Köln, “très bien”, ¿qué? Ã and â€ alone. '

  test.each([
    ['letters of many languages', words.repeat(50)],
    ['a character that was cut off', `${words}\uFFFD \uFFFD`],
    ['a page about garbled text', words.repeat(3000) + 'Ã© Ã¨ Ã¼ â€™'],
  ])('is not reported for %s', (_what, text) => expect(garbledText(text)).toBeUndefined())

  test('is reported with the number of replacement characters', () =>
    expect(garbledText(`Gr\uFFFD\uFFFDe aus K\uFFFDln`)).toMatch(/^3 characters of the page are lost/))

  test.each([Buffer.from('Grüße, très élégant, l’été').toString('latin1'), 'donâ€™t, itâ€™s, â€œsoâ€\u009D'])(
    'is reported if it was encoded twice: %s',
    (text) => expect(garbledText(text)).toMatch(/encoded twice/),
  )
})
