import { describe, expect, it } from 'vitest'
import { readPptx } from '../../src/engine/document/pptx/pptx.ts'
import { converted } from './converting.ts'
import { type Link, namespaces, type Parts, pptx, relationships } from './office-files.ts'

const read = (slides: string[], links: Link[] = [], more: Parts = {}) => converted(readPptx, pptx(slides, links, more))
const markdownOf = async (slide: string, links: Link[] = [], more: Parts = {}) =>
  (await read([slide], links, more)).markdown

const line = (text: string, properties = '', look = '') =>
  `<a:p>${properties}<a:r>${look}<a:t>${text}</a:t></a:r></a:p>`
const shape = (lines: string, holder = '', place = '') =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${lines}</p:txBody></p:sp>`
const at = (x: number, y: number) => `<a:xfrm><a:off x="${x}" y="${y}"/></a:xfrm>`
const title = (text: string) => shape(line(text), '<p:ph type="title"/>')
const body = (lines: string) => shape(lines, '<p:ph idx="1"/>')
const frame = (data: string) =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="f"/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData>${data}</a:graphicData></a:graphic></p:graphicFrame>`
const cell = (text: string, spans = '') => `<a:tc ${spans}><a:txBody>${line(text)}</a:txBody></a:tc>`

const holder = (idx: number, y: number, look = '') =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="${idx}"/></p:nvPr></p:nvSpPr><p:spPr>${at(0, y)}</p:spPr><p:txBody>${look}</p:txBody></p:sp>`
describe('a PowerPoint presentation', () => {
  it.each<[string, string, string]>([
    [
      'titles on one line',
      title('A') + shape('<a:p><a:r><a:t>b</a:t></a:r><a:br/><a:r><a:t>c</a:t></a:r></a:p>', '<p:ph type="subTitle"/>'),
      '## A\n\nb  \nc',
    ],
    ['slides without a title by number', shape(line('x')), '## Slide 1\n\nx'],
    [
      'levels of bullets',
      title('T') + body(line('a') + line('b', '<a:pPr lvl="1"/>') + line('c')),
      '## T\n\n- a\n  - b\n- c',
    ],
    [
      'numbers',
      title('T') +
        shape(
          line('a', '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>') +
            line('b', '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>'),
        ),
      '## T\n\n3. a\n4. b',
    ],
    [
      'the order on the slide',
      shape(line('low'), '', at(0, 900_000)) +
        shape(line('right'), '', at(500_000, 10_000)) +
        shape(line('left'), '', at(0, 20_000)) +
        title('T'),
      '## T\n\nleft\n\nright\n\nlow',
    ],
    [
      'groups together',
      title('T') +
        `<p:grpSp><p:grpSpPr>${at(0, 5_000_000)}</p:grpSpPr>${shape(line('in'), '', at(0, 1))}</p:grpSp>` +
        shape(line('above'), '', at(0, 1_000_000)),
      '## T\n\nabove\n\nin',
    ],
    [
      'tables',
      title('T') +
        frame(
          `<a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('A', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('1')}${cell('2')}</a:tr></a:tbl>`,
        ),
      '## T\n\n| A |  |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'no footers and slide numbers',
      title('T') + shape(line('7'), '<p:ph type="sldNum"/>') + shape(line('x'), '<p:ph type="ftr"/>'),
      '## T',
    ],
    [
      'descriptions of pictures',
      title('T') + '<p:pic><p:nvPicPr><p:cNvPr id="3" name="p" descr="A map"/><p:nvPr/></p:nvPicPr></p:pic>',
      '## T\n\n![A map](<Base64-Image-Removed>)',
    ],
  ])('keeps %s', async (_, slide, markdown) => expect(await markdownOf(slide)).toBe(markdown))

  it('inherits positions and bullets from the layout', async () => {
    const plain = '<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>'
    const layout = `<p:sldLayout ${namespaces}><p:cSld><p:spTree>${holder(1, 9_000_000)}${holder(2, 1000, plain)}</p:spTree></p:cSld></p:sldLayout>`
    const slide = title('T') + shape(line('below'), '<p:ph idx="1"/>') + shape(line('above'), '<p:ph idx="2"/>')
    const links: Link[] = [['l', 'slideLayout', '../slideLayouts/l.xml']]
    expect(await markdownOf(slide, links, { 'ppt/slideLayouts/l.xml': layout })).toBe('## T\n\nabove\n\n- below')
  })

  it('keeps speaker notes', async () => {
    const notes = `<p:notes ${namespaces}><p:cSld><p:spTree>${shape(line('1'), '<p:ph type="sldNum"/>')}${shape(line('Hello.'), '<p:ph type="body"/>')}</p:spTree></p:cSld></p:notes>`
    const links: Link[] = [['n', 'notesSlide', '../notesSlides/n.xml']]
    expect(await markdownOf(title('T'), links, { 'ppt/notesSlides/n.xml': notes })).toBe(
      '## T\n\n> Notes:\n>\n> Hello.',
    )
  })

  it('skips hidden slides, and keeps the numbers of the others', async () => {
    const bytes = pptx([title('A'), 'x', shape(line('c'))], [], {
      'ppt/slides/slide1.xml': `<p:sld show="0" ${namespaces}><p:cSld><p:spTree>${title('B')}</p:spTree></p:cSld></p:sld>`,
    })
    const { markdown, numPages, warning } = await converted(readPptx, bytes)
    expect([markdown, numPages, warning]).toEqual(['## A\n\n## Slide 3\n\nc', 2, 'Hidden slides left out: 1.'])
  })

  it('skips missing slides', async () => {
    const more = {
      'ppt/_rels/presentation.xml.rels': relationships(
        ['r0', 'slide', 'slides/gone.xml'],
        ['r1', 'slide', 'slides/slide1.xml'],
      ),
    }
    expect((await read([title('A'), title('B')], [], more)).markdown).toBe('## B')
  })
})
