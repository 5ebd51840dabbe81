import type { Branding } from '../../schema/scrape/branding-schema.ts'
import { isRecord } from '../../util/json.ts'
import type { ModelAnswer, PageModel } from './page-model.ts'

const roles = ['primary', 'secondary', 'accent'] as const
const tones = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'] as const
const energies = ['low', 'medium', 'high'] as const
const maxAudience = 200

/**
 * The measured branding with what measuring cannot tell: which of the colours play which role, and how the page speaks and to
 * whom. A model chooses among the colours that were measured; any other is dropped.
 */
export async function brandingByModel(
  model: PageModel,
  measured: Branding,
  markdown: string,
): Promise<ModelAnswer<Branding>> {
  const colors = measuredColors(measured)
  const { value, ...how } = await model.object({
    task: 'branding',
    effort: 'fast',
    maxOutputTokens: 400,
    system:
      'You judge the brand of a web site by its text and by the colours that were measured on it. Choose colours from the list only. Keep a role as measured unless another colour clearly fits it better.',
    page: markdown.slice(0, maxText),
    ask: `Measured: ${JSON.stringify({ colors: measured.colors, components: measured.components })}\nColours to choose from: ${colors.join(', ')}`,
    schema: schemaFor(colors),
  })
  return { ...how, isPartial: false, value: refined(measured, isRecord(value) ? value : {}, colors) }
}

/** The beginning tells how a page speaks. */
const maxText = 6000

function measuredColors({ colors = {}, components = {} }: Branding): string[] {
  const { buttonPrimary, buttonSecondary } = components
  const faces = [buttonPrimary?.background, buttonPrimary?.borderColor, buttonSecondary?.background]
  return [...new Set([...Object.values(colors), ...faces])].filter((color) => color !== undefined)
}

const schemaFor = (colors: readonly string[]) => ({
  type: 'object',
  properties: {
    ...(colors.length > 0 && Object.fromEntries(roles.map((role) => [role, { type: 'string', enum: colors }]))),
    tone: { type: 'string', enum: tones },
    energy: { type: 'string', enum: energies },
    targetAudience: { type: 'string', description: 'Whom the page speaks to, in a few words.' },
  },
  required: ['tone', 'energy', 'targetAudience'],
})

function refined(measured: Branding, answer: Record<string, unknown>, colors: readonly string[]): Branding {
  const chosen = roles.flatMap((role) => {
    const color = colors.find((each) => each === answer[role])
    return color === undefined ? [] : [[role, color] as const]
  })
  const audience = typeof answer['targetAudience'] === 'string' ? answer['targetAudience'].trim() : ''
  const tone = tones.find((each) => each === answer['tone'])
  const energy = energies.find((each) => each === answer['energy'])
  return {
    ...measured,
    ...(chosen.length > 0 && { colors: { ...measured.colors, ...Object.fromEntries(chosen) } }),
    personality: {
      ...measured.personality,
      ...(tone && { tone }),
      ...(energy && { energy }),
      ...(audience !== '' && { targetAudience: audience.slice(0, maxAudience) }),
    },
  }
}
