import { z } from 'zod'

/** What the OTEL_* variables do not say. */
export const telemetrySettings = {
  metricsToken: z
    .string()
    .min(16)
    .optional()
    .meta({ secret: true })
    .describe('Bearer token that reads `/metrics` and nothing else; the admin key reads it, too.'),
}
