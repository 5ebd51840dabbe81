import { classOf, type Element, elementsIn, oneLine } from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import type { Measures } from './measure.ts'
import type { PageKind } from './page-kind.ts'

const captionClass = /(?:^|[-_\s])caption(?:$|[-_\s]|text)|(?:^|\s)(?:bildunterschrift|legende|pie-?de-?foto)(?:\s|$)/i
const creditClass =
  /(?:^|[-_\s])(?:credits?|copyright|photographer|fotograf|urheber|bildquelle|quelle|rights|attribution)(?:$|[-_\s])/i
const subject = String.raw`(?:photo(?:graph|graphy)?|foto(?:graf(?:ie)?)?|bild(?:nachweis|quelle|rechte)?|image|picture|illustration|grafik|crédits?|crédito|credito)s?`
/** Words that say whose a picture is, up to the end of the line. */
const credit = new RegExp(
  String.raw`\s*[|(\[–—-]?\s*(?:(?:©|\(c\))|${subject}(?:[ -]?(?:credits?|courtesy|source))?(?: by| von| di| de)? ?:|(?:image |photo )?credits? ?:|photo by ).{0,120}$`,
  'iu',
)
const maxCaption = 600

/**
 * Moves the captions of pictures in an article to the pictures, as their description or title, where they cannot be taken
 * for sentences of the text. Credits go.
 */
export function captionPictures(body: Element, measures: Measures, kind: PageKind): void {
  if (!kind.article || kind.product || measures.of(body).images === 0) return
  for (const caption of elementsIn(body)) {
    if (!isCaption(caption, measures)) continue
    const picture = pictureOf(caption, measures)
    if (!picture) continue
    const words = captionIn(caption)
    if (words !== '') describe(picture, words)
    measures.remove(caption)
  }
}

function isCaption(element: Element, measures: Measures): boolean {
  if (element.localName !== 'figcaption' && !captionClass.test(classOf(element))) return false
  const { text, images, pre, headings, proses } = measures.of(element)
  return text > 0 && text <= maxCaption && images + pre + headings === 0 && proses <= 1 && !isPartOfText(element)
}

/** The only picture of the figure around a caption, if it can be shown. */
function pictureOf(caption: Element, measures: Measures): Element | undefined {
  let box = caption.parentNode
  for (let climb = 0; box && climb < 3; climb++, box = box.parentNode) {
    const { images, text } = measures.of(box)
    if (images > 1 || text > measures.of(caption).text + 200) return undefined
    if (images === 0 && box.localName !== 'figure') continue
    if (images === 0) return undefined
    const picture = elementsIn(box).find(({ localName }) => localName === 'img')
    return picture?.getAttributeNames().some((name) => /src/.test(name)) ? picture : undefined
  }
  return undefined
}

function captionIn(caption: Element): string {
  let words = oneLine(caption.textContent)
  for (const element of elementsIn(caption))
    if (creditClass.test(classOf(element))) words = words.replace(oneLine(element.textContent), ' ')
  return oneLine(words).replace(credit, '').trim()
}

/** A description that says the same, or nothing, gives way to the caption. */
function describe(picture: Element, caption: string): void {
  const alt = oneLine(picture.getAttribute('alt') ?? '')
  if (alt === '' || caption.includes(alt) || isFileName(alt)) {
    picture.setAttribute('alt', caption)
    picture.removeAttribute('title')
  } else if (alt.includes(caption)) picture.removeAttribute('title')
  else picture.setAttribute('title', caption)
}

/** One word with a digit behind a hyphen, underscore or dot, or with the ending of a picture. */
function isFileName(words: string): boolean {
  if (/\s/.test(words)) return false
  const joint = words.search(/[-_.]/)
  return (joint >= 0 && /\d/.test(words.slice(joint))) || /\.(?:jpe?g|png|webp|gif)/i.test(words)
}
