import { z } from 'zod'

/** What a call says of the program it comes from. */
export const callLabels = {
  origin: z.string().max(256).optional().describe('Label of the calling program.'),
  integration: z.string().max(256).optional().describe('Label of the calling integration.'),
}

/** How long a call that begins a job stays for its end. */
export const waitSeconds = (about: string) => z.int().min(0).max(300).optional().describe(about)

/** Of a call that tells how far a job is. */
export const waitForEnd = waitSeconds('Seconds to wait for its end.')

/** Of a job whose result is stored. */
export const noRetention = z.boolean().default(false).describe('Not possible: the result is kept until it is read.')
