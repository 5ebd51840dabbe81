import { isCleaned, withoutBoilerplate } from '../../understand/clean.ts'
import { type PageModel, tokensOf } from '../../understand/page-model.ts'
import type { FormatFields, PageView } from './maker.ts'
import { understand } from './understand.ts'

/** What a model may write at most; longer pages are not cleaned by it. */
const maxOutputTokens = 8000

/** The markdown without what is left of the site around it (onlyCleanContent); the original where that cannot be trusted. */
export async function cleanMarkdown(markdown: string, page: Pick<PageView, 'model'>): Promise<FormatFields> {
  if (page.model === 'nothing may leave')
    return {
      markdown,
      warning: 'onlyCleanContent is not supported with zero data retention, so the markdown is as it was.',
    }
  if (typeof page.model === 'object' && tokensOf(markdown) > maxOutputTokens)
    return { markdown, warning: 'onlyCleanContent was skipped: the page is longer than the language model can write.' }
  const { value, ...how } = await understand(page, {
    what: 'cleaning',
    byModel: (model) => cleanByModel(model, markdown),
    builtIn: () => withoutBoilerplate(markdown),
  })
  if (isCleaned(value, markdown)) return { markdown: value, ...how }
  return {
    markdown,
    warning: 'onlyCleanContent was skipped: the language model changed the page instead of cleaning it.',
  }
}

const cleanByModel = (model: PageModel, markdown: string) =>
  model.text({
    task: 'clean',
    effort: 'fast',
    maxOutputTokens,
    system:
      'You remove what is left of a site around the text of its page: cookie banners, ads, share buttons, breadcrumbs, newsletter sign-ups, comments, lists of related articles. Answer the rest of the markdown exactly as it is: headings, lists, tables, code, images and links unchanged and in order. No preamble, no code fence around it.',
    page: markdown,
  })
