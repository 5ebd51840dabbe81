import { z } from 'zod'

const color = z.string().describe('#RRGGBB')
const length = z.string().describe('CSS length, such as 8px.')
const address = z.string().describe('URL, or a data URL of an svg.')
const pixels = z.record(z.string(), z.number()).describe('CSS pixels, by where they are used.')

const Colors = z.object({
  primary: color.optional(),
  secondary: color.optional(),
  accent: color.optional(),
  background: color.optional(),
  textPrimary: color.optional(),
  textSecondary: color.optional(),
  link: color.optional(),
  success: color.optional(),
  warning: color.optional(),
  error: color.optional(),
})

const Typography = z.object({
  fontFamilies: z
    .object({
      primary: z.string().optional(),
      heading: z.string().optional(),
      code: z.string().optional(),
    })
    .optional(),
  fontSizes: z
    .object({
      h1: length.optional(),
      h2: length.optional(),
      h3: length.optional(),
      body: length.optional(),
    })
    .optional(),
  fontWeights: z
    .object({
      light: z.int().optional(),
      regular: z.int().optional(),
      medium: z.int().optional(),
      bold: z.int().optional(),
    })
    .optional(),
  lineHeights: z
    .object({ heading: z.number().optional(), body: z.number().optional() })
    .optional()
    .describe('As multiples of the font size.'),
})

const Button = z.object({
  background: color.optional(),
  textColor: color.optional(),
  borderColor: color.optional(),
  borderRadius: length.optional(),
})

const Icon = z.object({
  href: z.string(),
  rel: z.string(),
  sizes: z.string().optional(),
  type: z.string().optional(),
})

/** Design of a page as measured in a browser; missing elements are omitted. */
export const Branding = z
  .object({
    colorScheme: z.enum(['light', 'dark']).optional(),
    logo: address.optional(),
    colors: Colors.optional(),
    fonts: z
      .array(z.object({ family: z.string(), role: z.enum(['body', 'heading', 'code', 'other']).optional() }))
      .optional()
      .describe('Most used first.'),
    typography: Typography.optional(),
    spacing: z
      .object({
        baseUnit: z.int().optional().describe('Base unit: most distances are a multiple of it, in CSS pixels.'),
        borderRadius: length.optional(),
        padding: pixels.optional(),
        margins: pixels.optional(),
      })
      .optional(),
    components: z
      .object({ buttonPrimary: Button.optional(), buttonSecondary: Button.optional(), input: Button.optional() })
      .optional(),
    icons: z
      .object({
        style: z.enum(['outline', 'filled']).optional(),
        library: z.string().optional(),
        primaryColor: color.optional(),
        favicons: z.array(Icon).optional(),
      })
      .optional(),
    images: z
      .object({ logo: address.optional(), favicon: z.string().optional(), ogImage: z.string().optional() })
      .optional(),
    animations: z
      .object({ transitionDuration: z.string().optional(), easing: z.string().optional() })
      .optional()
      .describe('Values that several transitions share.'),
    layout: z
      .object({
        grid: z.object({ columns: z.int().optional(), maxWidth: length.optional() }).optional(),
        headerHeight: length.optional(),
        footerHeight: length.optional(),
        sidebar: z.enum(['left', 'right']).optional(),
      })
      .optional(),
    personality: z
      .object({
        density: z.enum(['compact', 'comfortable', 'spacious']).optional(),
        roundness: z.enum(['sharp', 'soft', 'round']).optional(),
        contrast: z.enum(['low', 'medium', 'high']).optional(),
        colorfulness: z.enum(['monochrome', 'restrained', 'vivid']).optional(),
        tone: z.enum(['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold']).optional(),
        energy: z.enum(['low', 'medium', 'high']).optional(),
        targetAudience: z.string().optional(),
      })
      .optional()
      .describe(
        'Measured traits. Tone, energy and audience cannot be measured: a language model judges them, if one is set.',
      ),
  })
  .describe('Colours, fonts, spacing, components and images that define the look of the site.')
export type Branding = z.output<typeof Branding>
