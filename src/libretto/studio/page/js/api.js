// Calls to the studio's server: every answer is data; a refusal is thrown as a Refusal with one line.

export class Refusal extends Error {
  constructor(status, data) {
    super(data.error || "the studio does not answer");
    this.status = status;
    this.data = data;
  }
}

async function ask(method, path, body) {
  const options = { method, headers: {} };
  if (body instanceof Blob || body instanceof ArrayBuffer) {
    options.body = body;
  } else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refusal(0, { error: "the studio's server does not answer; is it still running?" });
  }
  if (!answer.ok) {
    let data;
    try {
      data = await answer.json();
    } catch {
      data = { error: `the studio answered ${answer.status}` };
    }
    throw new Refusal(answer.status, data);
  }
  return answer;
}

export const get = async (path) => (await ask("GET", path)).json();
export const getBytes = async (path) => (await ask("GET", path)).arrayBuffer();
export const post = async (path, body = {}) => (await ask("POST", path, body)).json();
export const remove = async (path) => (await ask("DELETE", path)).json();

// Begin a job and follow it: heard(job) at every step; the result when it is done.
export async function work(kind, args, heard = () => {}) {
  const job = await post("/api/jobs", { kind, arguments: args });
  heard(job);
  return follow(job.id, heard);
}

// Follow a job that is already under way, also after the page was loaded again.
export function follow(id, heard = () => {}) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(`/api/jobs/${id}/events`);
    source.onmessage = (event) => {
      const job = JSON.parse(event.data);
      heard(job);
      if (job.state === "done") {
        source.close();
        resolve(job.result);
      } else if (["failed", "cancelled", "interrupted"].includes(job.state)) {
        source.close();
        reject(new Refusal(400, { error: job.error.error || `the job was ${job.state}`, ...job.error, state: job.state }));
      }
    };
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) {
        reject(new Refusal(0, { error: "the studio's server ended; start it again and reload" }));
      }
    };
  });
}
