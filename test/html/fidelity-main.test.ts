import { describe, expect, it } from 'vitest'
import { keptPictures, pictureCases } from './fidelity-main-pictures.ts'
import { mainMarkdown, mainPage, textCases } from './fidelity-main.ts'
import { main, page, prose } from './frame.ts'
import { markdownOf } from './read.ts'

describe('markdown of the main content', () => {
  it.each([...textCases, ...pictureCases])('has %s', (_, html, markdown) => {
    expect(markdownOf(mainPage(html), main)).toBe(mainMarkdown(markdown))
  })

  it.each(keptPictures)('has %s', (_, html, markdown) => {
    expect(markdownOf(mainPage(html), { ...main, removeSmallImages: false })).toBe(mainMarkdown(markdown))
  })

  it.each(pictureCases.slice(0, 6))('omits pictures that the whole page has: "%s"', (_, html) => {
    expect(markdownOf(mainPage(html)).match(/!\[/g)?.length).toBeGreaterThan(0)
  })

  it('starts and ends without a rule', () => {
    const html = page(`<main><hr><h1>Keeping bees</h1><hr>${prose('bees')}<hr><div><hr></div></main>`)
    const markdown = markdownOf(html, main)
    expect(markdown).toMatch(/^# Keeping bees\n\nThis/)
    expect(markdown).not.toContain('---')
  })

  it('has the title once, without a link to the page itself', () => {
    const html = page(
      `<main><h1><a href="/docs/page">Keeping bees</a></h1><p>Keeping bees</p>${prose('bees')}<h2>Wax</h2>${prose('wax')}</main>`,
    )
    const markdown = markdownOf(html, main)
    expect(markdown).toMatch(/^# Keeping bees\n\n/)
    expect(markdown.match(/Keeping bees/g)).toHaveLength(1)
  })
})

const post = (author: string, day: string, text: string) => `
  <article class="message" data-author="${author}"><div class="message-cell--main"><header><ul><li>
    <time class="u-dt" datetime="2024-05-0${day}T10:00:00Z">May ${day}, 2024</time></li><li><a href="/post-${day}">#${day}</a></li></ul></header>
    <h2 class="message-title"><a href="/post-${day}">Re: Keeping bees</a></h2>
    <div class="message-body"><div class="bbWrapper">${text}</div></div></div></article>`

describe('markdown of a thread', () => {
  const thread = page(
    `<div class="p-body"><div class="p-title"><h1>Keeping bees</h1><div class="p-description"><ul><li><a href="/members/ann">Ann</a></li><li><a href="/threads/1"><time datetime="2024-05-01">May 1, 2024</time></a></li></ul></div></div>
     ${post('Ann', '1', 'Has anybody kept bees on a balcony in a large town, high above the street?')}
     ${post('Ben', '2', 'Yes, it works well when the wind is not strong and the sun comes in the morning.')}</div>`,
  )
  const markdown = markdownOf(thread, { ...main, url: 'https://forum.ex.com/threads/1' })

  it('names author and date of a post once', () => {
    expect(markdown).toMatch(/^# Keeping bees\n\n\*\*Ann\*\* · May 1, 2024\n\nHas anybody/)
    expect(markdown.match(/Ann/g)).toHaveLength(1)
  })

  it('omits titles that start with "Re:"', () => {
    expect(markdown).not.toContain('Re: ')
    expect(markdown).toContain('**Ben** · May 2, 2024\n\nYes, it works')
  })
})
