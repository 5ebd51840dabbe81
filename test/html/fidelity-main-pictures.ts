import type { MainCase } from './fidelity-main.ts'

const photo = 'https://ex.com/photos'
const card = (n: number, alt = `Boot ${n}`) =>
  `<li class="card"><a href="/boots/${n}"><img src="/photos/boot-${n}.jpg" alt="${alt}"></a><h3><a href="/boots/${n}">Boot ${n}</a></h3><p>$${n}0</p></li>`
const cardText = (n: number) => `### [Boot ${n}](https://ex.com/boots/${n})\n\n  $${n}0`

/** Pictures within the main content: each informative picture stays once. */
export const pictureCases: readonly MainCase[] = [
  [
    'a picture once, however often the page shows it',
    '<p><img src="/photos/a.jpg" alt="A hive"></p><p>Between.</p><p><img src="/photos/a.jpg" alt="A hive"></p>',
    `![A hive](${photo}/a.jpg)\n\nBetween.`,
  ],
  [
    'no icons by their size',
    '<p><img src="/photos/x.png" width="24" height="24" alt=""> Opens at nine.</p><p><img src="/y.png" style="width: 16px; height:16px" alt="closes"> Closes at ten.</p>',
    'Opens at nine.\n\nCloses at ten.',
  ],
  [
    'no icons by their name',
    '<p><img src="/icons/phone.svg" alt=""> 555-1234</p><p><img class="icon-mail" src="/m.png" alt=""> Write to us there.</p>',
    '555-1234\n\nWrite to us there.',
  ],
  [
    'no avatars',
    '<p><img class="avatar" src="/u/1.jpg" alt="Ann"> Ann wrote this text.</p><p><img src="https://www.gravatar.com/avatar/abc?s=96" alt="Ben"> Ben checked it.</p>',
    'Ann wrote this text.\n\nBen checked it.',
  ],
  [
    'no tracking pixels and spacers',
    '<p>Words.<img src="https://t.ex.com/pixel.gif?id=1" alt=""><img src="/spacer.gif" width="600" alt=""><img src="/1x1.png" width="0" height="0"></p>',
    'Words.',
  ],
  [
    'no picture beside the words of a heading',
    '<h2><img src="/photos/tick.png" alt="">Who should read it</h2><p>Everybody.</p>',
    '## Who should read it\n\nEverybody.',
  ],
  [
    'cards without the thumbnails that repeat their titles',
    `<ul>${[1, 2, 3, 4].map((n) => card(n)).join('')}</ul>`,
    [1, 2, 3, 4].map((n) => `- ${cardText(n)}`).join('\n'),
  ],
  [
    'cards without thumbnails whose links differ from those of the titles by a fragment',
    `<ul>${[1, 2, 3].map((n) => card(n).replace(`href="/boots/${n}">B`, `href="/boots/${n}#top">B`)).join('')}</ul>`,
    [1, 2, 3].map((n) => `- ### [Boot ${n}](https://ex.com/boots/${n}#top)\n\n  $${n}0`).join('\n'),
  ],
  [
    'the address of a card that only its picture leads to',
    `<ul>${[1, 2, 3].map((n) => `<li><a href="/b/${n}"><img src="/photos/b${n}.jpg" alt="Boot ${n}"></a><p>Made for rain, size ${n}.</p></li>`).join('')}</ul>`,
    [1, 2, 3]
      .map((n) => `- [![Boot ${n}](${photo}/b${n}.jpg)](https://ex.com/b/${n})\n\n  Made for rain, size ${n}.`)
      .join('\n'),
  ],
  [
    'a figure and its caption',
    '<figure><img src="/photos/f.jpg" alt=""><figcaption>The queen and her bees</figcaption></figure>',
    `![](${photo}/f.jpg)\n\nThe queen and her bees`,
  ],
  [
    'three of several views that differ only in a number',
    [1, 2, 3, 4, 5].map((n) => `<p><img src="/v/${n}.jpg" alt="View ${n} of 5 of the garden hive"></p>`).join(''),
    [1, 2, 3].map((n) => `![View ${n} of 5 of the garden hive](https://ex.com/v/${n}.jpg)`).join('\n\n'),
  ],
  [
    'no logo that leads home',
    '<p><a href="/"><img src="/photos/brand.png" alt="Brand"></a></p><p>Words.</p>',
    'Words.',
  ],
  [
    'smilies as signs',
    '<p>It works <img src="/s/smile.png" class="smilie" alt=":)" title="Smile"> and <img src="/e/1f600.svg" alt="😀"> yes.</p>',
    'It works :) and 😀 yes.',
  ],
  [
    'no more pictures than their share of the text allows',
    `<div>${Array.from({ length: 12 }, (_, n) => `<p><img src="/photos/a-rather-long-name-of-a-picture-in-a-gallery-of-many-${n}.jpg" alt=""></p>`).join('')}</div>`,
    `![](${photo}/a-rather-long-name-of-a-picture-in-a-gallery-of-many-0.jpg)`,
  ],
]

/** The same pages with the setting that keeps all pictures. */
export const keptPictures: readonly MainCase[] = [
  [
    'icons, avatars and repeated pictures on request',
    '<p><img class="avatar" src="/u/1.jpg" alt="Ann"> Ann wrote <img src="/i.png" width="16" alt="i"> this.</p><p><img src="/u/1.jpg" alt="Ann"></p>',
    '![Ann](https://ex.com/u/1.jpg) Ann wrote ![i](https://ex.com/i.png) this.\n\n![Ann](https://ex.com/u/1.jpg)',
  ],
]
