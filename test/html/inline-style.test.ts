import { describe, expect, it } from 'vitest'
import { markdownOf } from './read.ts'

const seen = 'These are words that everybody sees, and enough of them to count as a page.'
const page = (html: string) =>
  `<html><body><main><p>${seen}</p>${html}<p>${seen.replace('These', 'Those')}</p></main></body></html>`

const stylesIn = (list: string) => list.split(/ \|\s+/)

describe('hidden text', () => {
  it.each(
    stylesIn(`display:none | display:/**/none | DISPLAY : NONE !important | display:block;display:none |
    visibility:hidden | opacity:0 | opacity:1% | filter:opacity(0) | content-visibility:hidden |
    position:absolute;left:-9999px | position:absolute;left:9999px | text-indent:-999em |
    transform:translateX(-9999px) | font-size:0 | font:0/0 a | font-size:.01em |
    line-height:0;overflow:hidden | clip:rect(0,0,0,0) | clip-path:inset(100%) |
    clip-path: polygon(0 0,0 0,0 0) | transform:scale(0,0) | scale:0 | zoom:0 | color:white;background:white |
    color:rgb(255,255,255);background:white | color:transparent | color:#0000 |
    -webkit-text-fill-color:transparent`),
  )('is omitted because of %s', (style) => {
    expect(
      markdownOf(page(`<p style="${style}">HIDDEN words that are to be left out of everything.</p>`)),
    ).not.toContain('HIDDEN')
  })

  it('is omitted because an outer box has its colour', () => {
    const box = '<div style="background:#fff"><p style="color:#fff">HIDDEN words of the colour behind them.</p></div>'
    expect(markdownOf(page(box))).not.toContain('HIDDEN')
  })
})

describe('visible text', () => {
  it.each(
    stylesIn(`color:white;background:black | color:white | display:none;display:block | opacity:0.5 |
    position:absolute;left:20px | margin:-20px | font-size:12px | font-size:0.8em |
    overflow:hidden;height:200px | transform:scale(0.5) | transform:translateX(-50%) |
    color:transparent;background-clip:text;background:linear-gradient(red,blue) | font:14px/1.2 serif |
    clip:rect(auto auto auto auto)`),
  )('with %s stays', (style) => {
    expect(markdownOf(page(`<p style="${style}">VISIBLE words that stay where they are.</p>`))).toContain('VISIBLE')
  })

  it('stays if a search of the page shows it', () => {
    expect(markdownOf(page('<p hidden="until-found">VISIBLE words</p>'))).toContain('VISIBLE')
  })

  it('stays in a box of size 0 whose parts have their own size', () => {
    const boxes =
      '<div style="font-size:0"><span style="font-size:16px">VISIBLE words in a box of their own.</span></div>'
    expect(markdownOf(page(boxes))).toContain('VISIBLE')
  })
})
