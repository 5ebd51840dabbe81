import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../src/engine/html/main-content/repeated-blocks.ts'
import { main, page, prose } from './frame.ts'
import { markdownOf, read } from './read.ts'

const banner = '<div class="strip"><p>Order before noon and it ships today, from our barn.</p></div>'
const promise = '<div><p>We have kept bees for three generations in the same valley.</p></div>'
const of = (about: string) => page(`<div>${banner}<h1>All of ${about}</h1>${prose(about)}${promise}</div>`)
const blocksOf = (html: string) => read(html, ['blocks']).blocks ?? []
const shared = (...pages: string[]) => {
  const [first = [], ...rest] = pages.map(blocksOf)
  return first.filter((print) => rest.every((prints) => prints.includes(print)))
}

describe('fingerprints of blocks', () => {
  it('are the same for the same words and differ for others', () => {
    expect(fingerprint('Order  before\nnoon!')).toBe(fingerprint('order before noon'))
    expect(fingerprint('Order before noon')).not.toBe(fingerprint('Order before nine'))
  })

  it('are not made of words too short to say anything', () => {
    expect(fingerprint('Price: 5')).toBeUndefined()
  })

  it('stand in document order, each once', () => {
    const html = `<p>First of three blocks.</p><ul><li>Second of three blocks.</li><li>First of three blocks.</li></ul><p>Third of three <b>blocks</b>.</p>`
    const prints = ['First of three blocks', 'Second of three blocks', 'Third of three blocks'].map(fingerprint)
    expect(blocksOf(html)).toEqual(prints)
  })

  it('are no more than 2,000', () => {
    const many = Array.from({ length: 2500 }, (_, i) => `<p>This is block number ${i}</p>`).join('')
    expect(blocksOf(many)).toHaveLength(2000)
  })

  it('are made whether or not the content is wanted, too', () => {
    expect(read(of('wax'), ['blocks', 'markdown'], main).blocks).toEqual(blocksOf(of('wax')))
    expect(read(of('wax'), ['markdown'])).not.toHaveProperty('blocks')
  })
})

describe('blocks that most pages of a host share', () => {
  const repeated = shared(of('bees'), of('wax'), of('honey'))

  it('are left out of the main content', () => {
    expect(markdownOf(of('mead'), main)).toContain('three generations')
    const markdown = markdownOf(of('mead'), { ...main, repeated })
    expect(markdown).toContain('about mead')
    expect(markdown).not.toMatch(/ships today|three generations/)
  })

  it('stay where the whole page is asked for', () => {
    expect(markdownOf(of('mead'), { repeated })).toContain('ships today')
  })

  it('are never the title', () => {
    const all = blocksOf(of('mead').replace(/h1>/g, 'h2>'))
    expect(markdownOf(of('mead'), { ...main, repeated: all })).toContain('# All of mead')
  })

  it('stay where nothing else would be left', () => {
    expect(markdownOf(of('mead'), { ...main, repeated: blocksOf(of('mead')) })).toContain('about mead')
  })
})
