import { oneLine } from '../dom/dom.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { sanitiseText } from '../../../util/unseen/sanitise-text.ts'
import type { ParsedPage } from '../parse/parse.ts'
import { markedUpEntities } from '../product/microdata.ts'
import { authorsIn, datesIn } from './byline.ts'
import { pricesIn } from './prices.ts'
import { questionsIn } from './questions.ts'
import { selectorOf, shortText, type Surroundings, surroundingsOf } from './surroundings.ts'
import type { PageFacts, ShownFact } from '../../../contracts/page-content.ts'

/** What a page marks up or shows in a way that tells what it is: its headline, byline, dates, price and definitions. */
export function factsOf(page: ParsedPage, elements: ElementIndex): PageFacts {
  const surroundings = surroundingsOf(page, elements)
  const shown = [
    ...headlineIn(surroundings),
    ...authorsIn(surroundings),
    ...datesIn(surroundings),
    ...pricesIn(surroundings),
    ...definitionsIn(surroundings),
  ]
  return {
    markup: markedUpEntities(page.body),
    questions: questionsIn(page.body).map(({ question, answer }) => ({
      question: sanitiseText(question),
      answer: sanitiseText(answer),
    })),
    shown: shown.map((fact) => ({ ...fact, name: sanitiseText(fact.name), value: sanitiseText(fact.value) })),
  }
}

/** Less than that of a title, which names the page where its headline is a slogan. */
const untitled = 0.6

function headlineIn({ headline, isTitled }: Surroundings): ShownFact[] {
  const text = headline && oneLine(headline.textContent)
  if (!text || text.length > 300) return []
  const where = selectorOf(headline)
  return [
    { name: 'headline', value: text, weight: isTitled ? 0.85 : untitled, where },
    { name: 'name', value: text, weight: isTitled ? 0.92 : untitled, where },
  ]
}

const maxDefinitions = 200

/** Terms of definition lists, each with what it is defined as. */
function definitionsIn({ spots }: Surroundings): ShownFact[] {
  return spots
    .filter(({ element, text }) => element.localName === 'dt' && text.length <= 60)
    .slice(0, maxDefinitions)
    .flatMap(({ element, text }) => {
      const next = element.nextElementSibling
      const value = next?.localName === 'dd' ? shortText(next, 300) : undefined
      return value ? [{ name: text.replace(/:$/, ''), value, weight: 0.65, where: 'dl' }] : []
    })
}
