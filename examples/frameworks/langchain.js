/** LangChain: the MCP adapters make the tools of the server LangChain tools. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { model, prompt, server, serverHeaders, serverUrl } from './settings.js'

const client = new MultiServerMCPClient({
  mcpServers: {
    gossamer: serverUrl
      ? { transport: 'http', url: serverUrl, headers: serverHeaders }
      : { transport: 'stdio', ...server },
  },
  // The link to the whole of an answer is for the program, as `artifact` of the tool message: by default it becomes a file by URL for the
  // model, which those behind the OpenAI API refuse. Without standard blocks the adapters would read the whole at once.
  useStandardContentBlocks: true,
  outputHandling: { resource_link: 'artifact' },
})
try {
  const agent = createAgent({
    model: new ChatOpenAI({ model: model.name, apiKey: model.key, configuration: { baseURL: model.baseUrl } }),
    tools: await client.getTools(),
  })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] })
  console.log(messages.at(-1).content)
} finally {
  await client.close()
}
