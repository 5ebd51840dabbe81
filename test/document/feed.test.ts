import { describe, expect, test } from 'vitest'
import { readFeed } from '../../src/engine/document/feed/feed.ts'
import { isoDate } from '../../src/engine/document/feed/feed-xml.ts'
import { converted } from './converting.ts'

const feed = (text: string | Uint8Array) => converted(readFeed, text)
const rss = (items: string, head = '<title>T</title>') => `<rss version="2.0"><channel>${head}${items}</channel></rss>`
const itemOf = async (inside: string) =>
  (await feed(rss(`<item>${inside}</item>`))).markdown.replace(/^# T\n*/, '').trim()

describe('RSS 2.0', () => {
  const podcast = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE rss [<!ENTITY a "aaaa">]>
<rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
  <atom:link rel="self" href="https://ex.com/self"/><title>Caf&#233; &amp; more</title><link>https://ex.com/blog/</link>
  <description>All &lt;b&gt;the&lt;/b&gt; news</description><language>de</language><generator>Maker 1</generator>
  <lastBuildDate>Tue, 06 Jan 2026 00:00:00 GMT</lastBuildDate><image><url>https://ex.com/i.png</url><title>no</title></image>
  <item><title>First</title><link>a?x=1&amp;y=2</link><pubDate>Mon, 05 Jan 2026 10:00:00 +0100</pubDate><dc:creator>Ann</dc:creator>
    <category>One</category><category><![CDATA[Two & three]]></category><description>short</description>
    <c:encoded><![CDATA[<h2>Head</h2><p>Long <a href="b">text</a>.</p>]]></c:encoded>
    <enclosure url="https://ex.com/a.mp3" length="123" type="audio/mpeg"/><i:duration>1:02:03</i:duration></item>
</channel></rss>`

  test('becomes a page', async () => {
    expect((await feed(podcast)).markdown.trim()).toBe(`# Café & more

All **the** news

[https://ex.com/blog/](https://ex.com/blog/)

## [First](https://ex.com/blog/a?x=1&y=2)

2026-01-05T09:00:00.000Z · Ann · One, Two & three

#### Head

Long [text](https://ex.com/blog/b).

- [a.mp3](https://ex.com/a.mp3) (audio/mpeg, 123 bytes, 1:02:03)`)
  })

  test('has metadata', async () => {
    expect((await feed(podcast)).metadata).toEqual({
      title: 'Café & more',
      description: 'All the news',
      language: 'de',
      generator: 'Maker 1',
      modifiedTime: '2026-01-06T00:00:00.000Z',
      favicon: 'https://ex.com/i.png',
      itemCount: 1,
    })
  })

  test.each([
    ['a title with formatting', '<title>&lt;i&gt;A&lt;/i&gt; b</title>', '## A b'],
    ['a title about markup', '<title>What &lt;div&gt; is</title>', String.raw`## What \<div> is`],
    ['a title escaped twice', '<title>Fish &amp;amp; Chips</title>', '## Fish & Chips'],
    ['no title', '<link>https://ex.com/a</link>', '## [https://ex.com/a](https://ex.com/a)'],
    ['a guid that is not a URL', '<title>a</title><guid isPermaLink="false">https://ex.com/g</guid>', '## a'],
    ['a link that is not a web URL', '<title>a</title><link>javascript:alert(1)</link>', '## a'],
    ['plain text in lines', '<description>a\nb\n\nc &amp; d</description>', 'a  \nb\n\nc & d'],
    ['an unescaped &', '<title>Q & A &c.</title>', '## Q & A &c.'],
    ['HTML character references', '<title>caf&eacute;&mdash;b</title>', '## café—b'],
    [
      'an unclosed title',
      '<title>a<link>https://ex.com/a</link><description>b</description>',
      '## [a](https://ex.com/a)\n\nb',
    ],
    ['a cut tag', '<title>a</title><description>b &lt;a href="x</description>', '## a\n\nb'],
    ['a script', '<description>&lt;p&gt;b&lt;script&gt;alert(1)</description>', 'b'],
    ['unclosed CDATA', '<title>a</title><description><![CDATA[b', '## a'],
    [
      'media of Yahoo',
      '<media:content url="/v.mp4" medium="video" duration="5"/>',
      '- [v.mp4](https://ex.com/v.mp4) (video, 5 s)',
    ],
  ])('reads an item with %s', async (_, inside, markdown) => {
    expect((await itemOf(inside)).startsWith(markdown)).toBe(true)
  })

  test('without a declared charset is read in the detected one', async () => {
    const text = rss(
      '<item><title>Новости дня и погода на завтра</title></item>',
      '<title>Все люди рождаются свободными</title>',
    )
    const bytes = Buffer.from(
      [...text].map((each) => (each >= 'А' && each <= 'я' ? each.charCodeAt(0) - 0x410 + 0xc0 : each.charCodeAt(0))),
    )
    expect((await feed(bytes)).markdown).toContain('Новости дня')
  })
})

test('RSS 1.0 (RDF): items after the channel are read', async () => {
  const { markdown, metadata } = await feed(`<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>T</title><items><rdf:Seq><rdf:li resource="a"/>
    </rdf:Seq></items></channel><item rdf:about="a"><title>A</title><link>https://ex.com/a</link><dc:date>2026-01-05</dc:date></item></rdf:RDF>`)
  expect(markdown.trim()).toBe('# T\n\n## [A](https://ex.com/a)\n\n2026-01-05')
  expect(metadata).toEqual({ title: 'T', itemCount: 1 })
})

test('Atom: links are resolved against the xml:base of the feed, the entry and the content', async () => {
  const xml = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://e.com/blog/"><title>T</title><link href="/"/>
    <entry xml:base="2026/"><title>A</title><link href="a"/><content type="html" xml:base="/img/">&lt;p>&lt;a href="x">x&lt;/a>&lt;/p></content>
    <link rel="enclosure" href="a.mp3"/></entry><entry><title>B</title><link href="b"/></entry></feed>`
  const { markdown } = await feed(xml)
  for (const path of ['', 'blog/2026/a', 'img/x', 'blog/2026/a.mp3', 'blog/b'])
    expect(markdown).toContain(`(https://e.com/${path})`)
})

test('Atom: links are read by their relation, content by its type, and people and terms are listed', async () => {
  const { markdown, metadata } =
    await feed(`<?xml version="1.0"?><a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:lang="en">
    <a:title type="html">T &amp;amp; U</a:title><a:subtitle>Sub</a:subtitle><a:link rel="self" href="/self"/><a:link href="/"/>
    <a:author><a:name>Owner</a:name></a:author>
    <a:entry><a:title type="text">A &lt;b></a:title><a:link rel="enclosure" href="/f.zip" title="F"/><a:link rel="alternate" type="text/html" href="/a"/>
      <a:published>2026-01-05T10:00:00+01:00</a:published><a:updated>2026-01-06T00:00:00Z</a:updated>
      <a:author><a:name>Ann</a:name><a:email>x@ex.com</a:email></a:author><a:author><a:name>Bob</a:name></a:author><a:category term="t"/>
      <a:summary>no</a:summary><a:content type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml"><x:p>Hi <x:b>there</x:b></x:p></x:div></a:content></a:entry>
    <a:entry><a:title>B</a:title><a:source><a:title>Elsewhere</a:title></a:source><a:summary type="html">&lt;p>sum&lt;/p></a:summary></a:entry></a:feed>`)
  expect(markdown.trim()).toBe(`# T & U

Sub

[https://ex.com/](https://ex.com/)

## [A \\<b>](https://ex.com/a)

2026-01-05T09:00:00.000Z · updated 2026-01-06T00:00:00.000Z · Ann, Bob · t

Hi **there**

- [F](https://ex.com/f.zip)

## B

sum`)
  expect(metadata).toEqual({ title: 'T & U', description: 'Sub', language: 'en', author: 'Owner', itemCount: 2 })
})

test('JSON Feed becomes a page with metadata', async () => {
  const { markdown, metadata } = await feed(
    `{"version": "https://jsonfeed.org/version/1.1", "title": "T & U", "home_page_url": "https://ex.com/",
      "language": "en", "authors": [{"name": "Owner"}], "items": [
      {"id": 1, "url": "/a", "title": "A", "content_html": "<p>Hi</p>", "date_published": "2026-01-05T10:00:00Z",
       "tags": ["x", 2], "attachments": [{"url": "/f.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": 9}, {}]},
      {"content_text": "plain <b>\\nlines"}, null]}`,
  )
  expect(markdown.trim()).toBe(`# T & U

[https://ex.com/](https://ex.com/)

## [A](https://ex.com/a)

2026-01-05T10:00:00.000Z · x

Hi

- [f.mp3](https://ex.com/f.mp3) (audio/mpeg, 9 s)

plain \\<b>  
lines`)
  expect(metadata).toEqual({ title: 'T & U', language: 'en', author: 'Owner', itemCount: 2 })
})

test.each([
  ['<a><b/></a>', '```xml\n<a><b/></a>\n```\n'],
  ['<rss></rss>', '```xml\n<rss></rss>\n```\n'],
  ['{"a":', '```json\n{"a":\n```\n'],
])('returns %s, which is not a feed, unchanged', async (text, markdown) => {
  expect((await feed(text)).markdown).toBe(markdown)
})

test('no entity declared by a feed is expanded', async () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "&a;&a;">]>${rss('<item><title>&b;</title></item>')}`
  expect((await feed(bomb)).html).not.toContain('xx')
})

test.each(
  '<|<item>|<title>|<item><title>|<![CDATA[|<!-- |<a b="|<title><![CDATA[]]>|<!DOCTYPE a [|&#|<description>&lt;!--'.split(
    '|',
  ),
)('a feed takes time proportional to its length: %s many times', async (piece) => {
  const bytes = Buffer.from(rss(piece.repeat(100_000)))
  expect(await readFeed({ bytes, url: 'https://ex.com/', contentType: undefined, pdf: { mode: 'auto' } })).toBeDefined()
})

test.each([
  ['Mon, 05 Jan 2026 10:00:00 EST', '2026-01-05T15:00:00.000Z'],
  ['5 Jan 2026 10:00 +0000', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05T10:00:00.5Z', '2026-01-05T10:00:00.500Z'],
  ['Lundi, 05 Jan 2026 10:00:00 GMT', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05', '2026-01-05'],
  ['2026-01-05 10:00:00', '2026-01-05 10:00:00'],
  ['soon', 'soon'],
  ['x'.repeat(100), undefined],
  ['', undefined],
])('the date %s is %s', (written, iso) => expect(isoDate(written)).toBe(iso))
