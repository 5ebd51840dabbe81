import { describe, expect, it } from 'vitest'
import { read } from './read.ts'

/** Paragraphs of everyday length; those of scripts without spaces have some forty characters. */
const texts: Readonly<Record<string, readonly string[]>> = {
  ja: [
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗い所にいた。',
    'しかもあとで聞くとそれは書生という人間中で一番獰悪な種族であったそうだ。',
    'この書生というのは時々我々を捕えて煮て食うという話である。',
    'ただ彼の掌に載せられてスーと持ち上げられた時、何だかフワフワした感じがあった。',
  ],
  zh: [
    '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
    '人人有资格享有本宣言所载的一切权利和自由，不分种族、肤色、性别、语言、宗教。',
    '人人有权享有生命、自由和人身安全。任何人不得使为奴隶或奴役。',
    '任何人不得加以酷刑，或施以残忍的、不人道的或侮辱性的待遇或刑罚。',
  ],
  ar: [
    'يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق، وقد وهبوا عقلًا وضميرًا وعليهم أن يعامل بعضهم بعضًا بروح الإخاء.',
    'لكل إنسان حق التمتع بكافة الحقوق والحريات الواردة في هذا الإعلان، دون أي تمييز.',
    'لكل فرد الحق في الحياة والحرية وسلامة شخصه.',
    'لا يجوز استرقاق أو استعباد أي شخص، ويحظر الاسترقاق وتجارة الرقيق بكافة أوضاعهما.',
  ],
  th: [
    'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม',
    'ทุกคนย่อมมีสิทธิและอิสรภาพบรรดาที่กำหนดไว้ในปฏิญญานี้ โดยปราศจากความแตกต่าง',
    'คนทุกคนมีสิทธิในการดำรงชีวิต เสรีภาพ และความมั่นคงแห่งตัวตน',
    'บุคคลใดๆ จะถูกยึดเป็นทาสหรือต้องภาระจำยอมไม่ได้',
  ],
}
const menu = ['One', 'Two', 'Three', 'Four'].map((name) => `<li><a href="/${name}">${name}</a></li>`).join('')
const pageIn = (language: string, container: string, paragraphs: readonly string[]) =>
  `<!doctype html><html lang="${language}"><head><title>t</title></head><body><header><ul>${menu}</ul></header>
  <div class="layout"><div class="side"><ul>${menu}</ul></div><${container}><h1>T</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}</${container}></div>
  <footer><p>© 2026 Example</p><ul>${menu}</ul></footer></body></html>`
const contentOf = (html: string) => read(html, ['markdown', 'metadata'], { onlyMainContent: true })

describe.each(Object.entries(texts))('a page in %s', (language, paragraphs) => {
  it.each(['article', 'main', 'div class="content"', 'div class="x1"'])(
    'keeps every paragraph in <%s> unchanged',
    (container) => {
      const { markdown = '', metadata } = contentOf(pageIn(language, container, paragraphs))
      expect(paragraphs.filter((text) => !markdown.includes(text))).toEqual([])
      expect(metadata).toMatchObject({ language })
    },
  )

  it('omits the menu, even if the text is only two paragraphs', () => {
    for (const count of [2, 4]) {
      const { markdown = '' } = contentOf(pageIn(language, 'div class="x1"', paragraphs.slice(0, count)))
      expect(markdown).toContain(paragraphs[1])
      expect(markdown).not.toMatch(/Three/)
    }
  })

  it('keeps words whole around marks', () => {
    const [first = '', second = ''] = paragraphs
    const { markdown = '' } = contentOf(
      pageIn(language, 'article', [`${first.slice(0, 8)}<b>${first.slice(8, 12)}</b>${first.slice(12)}`, second]),
    )
    expect(markdown.replaceAll('**', '')).toContain(first)
  })
})
