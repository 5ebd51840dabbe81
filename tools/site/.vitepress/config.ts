import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { contentsOf } from '../pages.ts'

const root = join(import.meta.dirname, '../../..')

export default defineConfig({
  title: 'Gossamer',
  description: 'The web for AI agents: an MCP server and REST API in one program.',
  srcDir: '.pages',
  rewrites: { 'README.md': 'index.md' },
  // A page is a file, so that the site can be put on any web server, or be read from a folder by a local one.
  cleanUrls: false,
  markdown: { languageAlias: { sh: 'bash' } },
  themeConfig: {
    // It is built into the site: nothing is asked for elsewhere.
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Docs', link: '/docs/index.md' },
      { text: 'Reference', link: '/docs/reference/index.md' },
    ],
    sidebar: contentsOf(root),
  },
})
