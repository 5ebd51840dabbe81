import { describe, expect, test } from 'vitest'
import { pageUrl, read } from './read.ts'

const mediaOf = (html: string) => read(html, ['media']).media
const data = (thing: unknown) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`
const at = (path: string) => `https://ex.com${path}`
const film = '<video controls src="/film.mp4"></video>'

const shapes: [name: string, html: string, wanted: object][] = [
  ['a video element', film, { video: at('/film.mp4') }],
  ['an audio element', '<audio src="/song.mp3"></audio>', { audio: at('/song.mp3') }],
  ['both', `${film}<audio src="/song.mp3"></audio>`, { video: at('/film.mp4'), audio: at('/song.mp3') }],
  [
    'the source that most programs play',
    '<video><source src="/a.webm" type="video/webm"><source src="/a.m3u8"><source src="/a.mp4"></video>',
    { video: at('/a.mp4') },
  ],
  [
    'a stream if there is no file',
    '<video><source src="/a.mpd"><source src="/live?x=1" type="application/vnd.apple.mpegurl"></video>',
    { video: at('/a.mpd') },
  ],
  ['audio in a video element', '<video src="/talk.mp3"></video>', { audio: at('/talk.mp3') }],
  [
    'a video after a decorative one',
    `<video muted loop autoplay src="/hero.mp4"></video>${film}`,
    { video: at('/film.mp4') },
  ],
  [
    'a video after one in the navigation',
    `<nav><video controls src="/ad.mp4"></video></nav>${film}`,
    { video: at('/film.mp4') },
  ],
  [
    'a decorative video if there is no other',
    '<video muted autoplay src="/hero.mp4"></video>',
    { video: at('/hero.mp4') },
  ],
  [
    'a video object',
    data({ '@type': 'VideoObject', contentUrl: '/film.mp4', embedUrl: '/embed' }),
    { video: at('/film.mp4') },
  ],
  [
    'an audio object',
    data({ '@type': 'AudioObject', contentUrl: '/x', encodingFormat: 'audio/mpeg' }),
    { audio: at('/x') },
  ],
  [
    'an episode of a podcast',
    data({
      '@type': 'PodcastEpisode',
      associatedMedia: { '@type': 'MediaObject', contentUrl: 'https://cdn.ex.org/e1.mp3?t=1' },
    }),
    { audio: 'https://cdn.ex.org/e1.mp3?t=1' },
  ],
  [
    'a video URL without file extension if it is the only one',
    data({ '@type': 'VideoObject', contentUrl: '/watch/7' }),
    { video: at('/watch/7') },
  ],
  [
    'Open Graph tags',
    '<meta property="og:video" content="http://ex.com/f.mp4"><meta property="og:video:type" content="video/mp4">',
    { video: 'http://ex.com/f.mp4' },
  ],
  [
    'a Twitter card',
    '<meta name="twitter:player:stream" content="/s"><meta name="twitter:player:stream:content_type" content="video/mp4">',
    { video: at('/s') },
  ],
  ['an enclosure', '<link rel="enclosure" href="/e.mp3" type="audio/mpeg">', { audio: at('/e.mp3') }],
  ['a link to a file', '<a href="/talk.m4a">Listen</a>', { audio: at('/talk.m4a') }],
  [
    'a video element before structured data',
    `${data({ '@type': 'VideoObject', contentUrl: '/other.mp4' })}${film}`,
    { video: at('/film.mp4') },
  ],
  ['attributes in capitals', '<VIDEO SRC="/A.MP4"></VIDEO>', { video: at('/A.MP4') }],
]

const none: [name: string, html: string][] = [
  ['no media', '<p>Hello</p><img src="/a.png">'],
  [
    'data and blob addresses',
    '<video src="blob:https://ex.com/1"></video><audio src="data:audio/mpeg;base64,AA"></audio>',
  ],
  ['other schemes', '<video src="rtmp://ex.com/live"></video><a href="javascript:play(\'a.mp3\')">x</a>'],
  ['pictures', '<picture><source srcset="/a.webp" src="/b"><img src="/a.png"></picture>'],
  [
    'an Open Graph video that is a page',
    '<meta property="og:video" content="/embed/1"><iframe src="/embed/1"></iframe>',
  ],
  ['a video object that names its own page', data({ '@type': 'VideoObject', contentUrl: pageUrl })],
  ['a list of files', '<a href="/1.mp3">1</a><a href="/2.mp3">2</a>'],
  ['a file in the footer', '<footer><a href="/jingle.mp3">x</a></footer>'],
  ['elements without a source', '<video></video><audio src=""></audio><source>'],
  ['broken data', '<script type="application/ld+json">{"@type":"VideoObject","contentUrl":</script>'],
]

describe('the media of a page', () => {
  test.each(shapes)('are found in %s', (_, html, wanted) => expect(mediaOf(html)).toEqual(wanted))

  test.each(none)('are absent for %s', (_, html) => expect(mediaOf(html)).toEqual({}))

  test('are read only on request', () => expect(read(film, ['links'])).toEqual({ links: [] }))
})

describe('an empty shell', () => {
  const shell = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'

  test('needs a browser if media or a product are requested', () => {
    expect(read(shell, ['media'])).toEqual({ media: {}, needsBrowser: true })
    expect(read(shell, ['product'])).toEqual({ product: null, needsBrowser: true })
  })

  test('needs no browser if its data names media', () => {
    const named = shell.replace('<script', `${data({ '@type': 'VideoObject', contentUrl: '/a.mp4' })}<script`)
    expect(read(named, ['media'])).toEqual({ media: { video: at('/a.mp4') } })
  })
})
