import { classOf, type Element, elementsIn, isElement, isText, oneLine } from '../dom/dom.ts'
import { shortText } from './surroundings.ts'
import type { ShownQuestion } from '../../../contracts/page-content.ts'

const maxQuestions = 100
const maxQuestion = 200
const minAnswer = 20
const maxAnswer = 2500
/** How far around a question its answer is looked for, in generations. */
const maxHeight = 4

const holder = /^(?:h[1-6]|summary|dt|button|a|span|div|p|strong|b|li|label|td|th|legend)$/
const panel = /faq|accordion|question|toggle|collaps/i

/**
 * Questions that the page asks, each with what it answers: headings, folds and definition lists. Answers are often one
 * click away, and the main content leaves them out together with the menus that are built alike.
 */
export function questionsIn(body: Element): ShownQuestion[] {
  const elements = elementsIn(body)
  const byId = new Map(
    elements.flatMap((element) => {
      const id = element.getAttribute('id')
      return id === null ? [] : [[id, element] as const]
    }),
  )
  const found = new Map<string, string>()
  for (const element of elements) {
    if (found.size >= maxQuestions) break
    const question = questionAt(element)
    if (question === undefined || found.has(question)) continue
    const answer = controlled(element, byId) ?? textAfter(element)
    if (answer !== undefined) found.set(question, answer)
  }
  return [...found].map(([question, answer]) => ({ question, answer }))
}

/** The innermost element that holds a question as a whole; folds need no question mark. */
function questionAt(element: Element): string | undefined {
  if (!holder.test(element.localName)) return undefined
  const text = shortText(element, maxQuestion)
  if (text === undefined || text.length < 10) return undefined
  if (element.children.some((child) => shortText(child, maxQuestion) === text)) return undefined
  if (text.endsWith('?')) return text
  const isFold =
    element.localName === 'summary' || (element.hasAttribute('aria-expanded') && panel.test(classOf(element)))
  return isFold ? text : undefined
}

/** The text of the panel that a button opens. */
function controlled(element: Element, byId: ReadonlyMap<string, Element>): string | undefined {
  for (let at: Element | null = element, height = 0; at && height < 3; at = at.parentNode, height++) {
    const id = at.getAttribute('aria-controls') ?? at.getAttribute('data-target')?.replace(/^#/, '')
    const opened = id ? byId.get(id) : undefined
    const text = opened && answerIn(opened)
    if (text !== undefined) return text
  }
  return undefined
}

/** What follows an element in its box, or else the box; not past the next question. */
function textAfter(element: Element): string | undefined {
  for (let at: Element | null = element, height = 0; at && height < maxHeight; at = at.parentNode, height++) {
    // A box that holds more than the question is followed by what is about something else.
    if (height > 0 && shortText(at, maxQuestion + 40) === undefined) return undefined
    const answer = followingText(at)
    if (answer !== undefined) return answer.length >= minAnswer ? answer.slice(0, maxAnswer) : undefined
  }
  return undefined
}

/** The text beside an element up to the next heading or question; undefined where nothing stands beside it. */
function followingText(element: Element): string | undefined {
  const following: string[] = []
  for (let each = element.nextSibling; each; each = each.nextSibling) {
    const text = isElement(each) ? shortText(each, maxAnswer) : oneLine(each.textContent)
    if (text === undefined && each.textContent.trim() !== '' && isElement(each)) return following.join('\n')
    if (!text || !(isElement(each) || isText(each))) continue
    if (opensWithQuestion(text) || (isElement(each) && /^h[1-6]$/.test(each.localName))) return following.join('\n')
    following.push(text)
  }
  return following.length > 0 ? following.join('\n') : undefined
}

const opensWithQuestion = (text: string) => /^[^.!?]{5,180}\?(?:\s|$)/.test(text)

function answerIn(element: Element): string | undefined {
  const text = shortText(element, maxAnswer)
  return text !== undefined && text.length >= minAnswer && !opensWithQuestion(text) ? text : undefined
}
