import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { a, b, base, read, url, urlset } from './sitemap-reading.ts'

const torn = 'A sitemap ends in the middle of an entry; that entry was left out.'

describe('a file', () => {
  test.each([
    ['with two pages', urlset(url(a) + url(b)), [a, b]],
    ['without pages', urlset(''), []],
    ['with a page twice', urlset(url(a) + url(b) + url(a)), [a, b]],
    ['with a byte order mark', `\uFEFF${urlset(url(a))}`, [a]],
    ['with another prefix', `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>${a}</sm:loc></sm:url></sm:urlset>`, [a]],
    ['with CDATA', urlset(url(`<![CDATA[${a}?x=1&y=2]]>`)), [`${a}?x=1&y=2`]],
    ['with CDATA in the middle', urlset(url(`${a}?x=1&amp;<![CDATA[y=&amp;]]>&amp;z`)), [`${a}?x=1&y=&amp;&z`]],
    ['with references', urlset(url(`${a}?x=1&amp;y=2&#38;z=&#x33;`)), [`${a}?x=1&y=2&z=3`]],
    ['with bare ampersands', urlset(url(`${a}?x=1&y=2&copy;`)), [`${a}?x=1&y=2&copy;`]],
    ['with comments', urlset(`<!-- ${url(b)} -->${url(`${a}<!-- > -->`)}`), [a]],
    ['with comments that hold tags and dashes', urlset(`<!-- - -- <url> --- -->${url(a)}`), [a]],
    ['with a declaration that is not ended well', `<?xml version="1.0"><urlset>${url(a)}</urlset>`, [a]],
    ['with relative addresses', urlset(url('/a') + url('b')), [a, 'https://site.example/maps/b']],
    ['with addresses that lack their scheme', urlset(url('site.example/a') + url('//site.example/b')), [a, b]],
    ['after an error message', `PHP Warning: no file in /x.php\n${urlset(url(a))}`, [a]],
    ['with addresses nobody can visit', urlset(url('mailto:x@site.example') + url('https://') + url('')), []],
    ['with an address that is too long', urlset(url(`${a}${'a'.repeat(9000)}`) + url(b)), [b]],
    ['with self-closed elements', urlset(`<url><lastmod/><loc>${a}</loc><x/></url><url/>`), [a]],
    [
      'with pictures, films and other languages',
      urlset(
        `<url><image:image><image:loc>${b}</image:loc><image:title>T</image:title></image:image><loc>${a}</loc><video:video><video:title>T</video:title><video:content_loc>${b}</video:content_loc></video:video><xhtml:link rel="alternate" href="${b}"/></url>`,
      ),
      [a],
    ],
    ['that is cut between pages', urlset(url(a) + url(b)).slice(0, -'</urlset>'.length), [a, b]],
    ['that is cut in a page', `<urlset>${url(a)}<url><loc>${b}</loc><last`, [a, b]],
    ['with elements nobody closed', `<urlset><url><loc>${a}<lastmod>2024</lastmod><url><loc>${b}</urlset>`, [a, b]],
    ['with text between', `<urlset>hello ${url(a)} < world & > ${url(b)}</urlset>`, [a, b]],
    ['that is text', `${a}\r\n\r\n  ${b}  \nnot a url\n/c\nftp://site.example/\n${a}`, [a, b]],
    ['that is text with one endless line', `${a}\n${'x'.repeat(200_000)} ${b}\n${b}`, [a, b]],
  ])('%s yields its valid URLs', async (_, body, expected) => {
    expect(await read(body)).toMatchObject({ urls: expected, sitemaps: [], remark: undefined })
  })

  test.each([
    ['an address', `<urlset>${url(a)}<url><loc>${b}`],
    ['CDATA', `<urlset>${url(a)}<url><loc><![CDATA[${b}`],
    ['a reference', `<urlset>${url(a)}<url><loc>${b}&am`],
    ['the end of an address', `<urlset>${url(a)}<url><loc>${b}</lo`],
    ['a sitemap of an index', `<sitemapindex><url><loc>${a}</loc></url><sitemap><loc>${b}`],
    ['an item of RSS', `<rss><item><link>${a}</link></item><item><link>${b}`],
    ['an identifier of RSS', `<rss><item><link>${a}</link></item><item><guid>${b}`],
    ['a link of Atom', `<feed><entry><link href="${a}"/></entry><entry><link href="${b}`],
  ])('that ends inside %s omits that entry, with a warning', async (_, body) => {
    expect(await read(body)).toMatchObject({ urls: [a], sitemaps: [], remark: torn })
  })

  test.each([
    ['a web page', '<!doctype html><html><body><a href="/a">A</a><item><link>https://x.example</link></item>'],
    ['other XML', '<svg xmlns="x"><title>Hello</title></svg>'],
    ['text', 'Not found.'],
    ['JSON', `{"url": "${a}"}`],
    ['nothing', ''],
    ['blanks', ' \n'.repeat(100_000)],
    ['zero bytes', '\0'.repeat(2_000_000)],
  ])('that is %s has no entries', async (_, body) => {
    expect(await read(body)).toMatchObject({
      urls: [],
      remark: 'A sitemap holds no URLs: the site answered with something else.',
    })
  })
})

const entry = async (inner: string) => (await read(urlset(`<url><loc>${a}</loc>${inner}</url>`))).pages[0]

test.each([
  ['2024-05-06', '2024-05-06'],
  ['2024', '2024'],
  [' 2024-05-06T07:08:09+02:00\n', '2024-05-06T07:08:09+02:00'],
  ['Mon, 06 May 2024 07:08:09 GMT', '2024-05-06T07:08:09.000Z'],
  ['yesterday', undefined],
  ['2024-99-99', undefined],
  ['', undefined],
])('an entry with date "%s" has the date %s', async (written, lastModified) => {
  expect(await entry(`<lastmod>${written}</lastmod>`)).toEqual({
    url: a,
    ...(lastModified !== undefined && { lastModified }),
  })
})

test('an index names other sitemaps', async () => {
  const body = `<sitemapindex><sitemap><loc>${a}.xml</loc><lastmod>2024-01-01</lastmod></sitemap><sitemap><loc>/b.xml.gz</loc></sitemap></sitemapindex>`
  expect(await read(body)).toMatchObject({ pages: [], sitemaps: [`${a}.xml`, `${b}.xml.gz`], remark: undefined })
})

test.each([
  [
    'RSS',
    `<rss><channel><title>C</title><link>https://site.example/</link><atom:link href="${base}" rel="self"/><image><url>${b}.png</url></image>
       <item><title>One</title><link>${a}</link><guid>x</guid><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate></item>
       <item><media:title>no</media:title><guid>${b}</guid></item>
       <item><guid isPermaLink="false">tag:1</guid></item></channel></rss>`,
  ],
  [
    'RDF',
    `<rdf:RDF><channel><link>https://site.example/</link></channel><item rdf:about="${a}"><title>One</title><link>${a}</link><dc:date>2024-05-06T07:08:09.000Z</dc:date></item><item><link>${b}</link></item></rdf:RDF>`,
  ],
  [
    'Atom',
    `<feed><title>C</title><link href="https://site.example/"/><entry><title type="html">One</title><link rel="self" href="${base}"/><link rel="alternate" href="${a}"/><updated>2024-05-06T07:08:09.000Z</updated></entry><entry><link href='${b}'/></entry></feed>`,
  ],
])('a feed of kind %s names its pages', async (_, body) => {
  expect((await read(body)).pages).toEqual([
    { url: a, title: 'One', lastModified: '2024-05-06T07:08:09.000Z' },
    { url: b },
  ])
})

const news = (title: string) =>
  urlset(`<url><loc>${a}</loc><news:news><news:title>${title}</news:title></news:news></url>`)

test.each([
  ['the declaration', news('Größe').replace('UTF-8', 'ISO-8859-1'), 'latin1', 'text/xml'],
  ['the content type', news('Größe').replace(/<\?.*\?>/, ''), 'latin1', 'text/xml; charset=iso-8859-1'],
  ['the byte order mark', `\uFEFF${news('Größe')}`, 'utf16le', 'text/xml'],
  ['the bytes', news('Größe').replace(/<\?.*\?>/, ''), 'utf8', 'text/xml'],
] as const)('charsets are recognised by %s', async (_, text, encoding, type) => {
  expect((await read(Buffer.from(text, encoding), type)).pages).toEqual([{ url: a, title: 'Größe' }])
})

describe('a packed file', () => {
  test('that is truncated is read up to its end', async () => {
    const whole = gzipSync(urlset(Array.from({ length: 5000 }, (_, at) => url(`${a}${at * 7919}`)).join('')))
    const { urls } = await read(whole.subarray(0, whole.length / 2))
    expect(urls.length).toBeGreaterThan(1000)
    expect(urls.length).toBeLessThan(5000)
  })

  test('that is truncated gives only whole addresses, as XML and as text', async () => {
    const all = Array.from({ length: 3000 }, (_, at) => `${a}/${at * 7919}`)
    for (const text of [urlset(all.map(url).join('')), all.join('\n')]) {
      const whole = gzipSync(text)
      for (let cut = 1; cut < 40; cut += 1) {
        const { urls } = await read(whole.subarray(0, whole.length - cut * 101))
        expect(urls, `less ${cut * 101} bytes`).toEqual(all.slice(0, urls.length))
      }
    }
  })

  test('with text may end without a line break, and have several gzip members', async () => {
    expect((await read(gzipSync(`${a}\n${b}`))).urls).toEqual([a, b])
    expect((await read(Buffer.concat([gzipSync(`${a}\n`), gzipSync(b)]))).urls).toEqual([a, b])
  })
})

test('the result does not depend on chunk boundaries', async () => {
  const whole = `<!-- c --><url><loc><![CDATA[${a}?x&]]>&amp;y</loc><lastmod>2024-05-06</lastmod></url>`
  for (let shift = 0; shift < whole.length; shift += 1) {
    const before = `<urlset>${' '.repeat(65_536 - 8 - shift)}`
    const { pages } = await read(`${before}${whole}`)
    expect(pages, `shift ${shift}`).toEqual([{ url: `${a}?x&&y`, lastModified: '2024-05-06' }])
  }
})
