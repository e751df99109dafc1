/** Generated from openapi/openapi.json by `npm run openapi`. Not to be edited. */
export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The process runs
         * @description For whoever starts it anew when it does not answer. Says nothing of database or queue.
         */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Agents can be served: database and its schema are there
         * @description For whoever sends agents here; whoever sends operators asks `/health/ready/operators`. Degraded without the queue (agents and operators are served and nothing is lost, but what follows from it waits) while clusters can not be planned, while events can not be stored, while the list of clusters lacks some that the event log has, while tokens were lost (agents and operators are told to try again), while no worker is there, while webhooks are more than five minutes behind the log, and while the thread that serves operators is being started or says nothing. `details` says what is impaired.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Operators can be served, too
         * @description For whoever sends operators here: as `/health/ready`, and 503 besides as long as no thread serves operators (at the start of the api, and when that thread ended). Agents are served all the same. A thread that is there and says nothing is `degraded` only: it may be at a large document.
         */
        get: operations["readyForOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of this process, for Prometheus
         * @description In the text format 0.0.4. Needs no token: it names no cluster’s secrets; keep it off public networks all the same.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/agent-descriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what one of these agents says about itself
         * @description Its meta-data, or why that can not be read. What is known of the same version already stays.
         */
        post: operations["agentDescribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait for programs of alerts to run, or say how they ended
         * @description A request that tells of ends is answered at once, without anything to run. Else the answer comes as soon as there is something that the agent does not name in `known`, and at the latest when its wait is over. What went with an answer that was lost is given again.
         */
        post: operations["agentAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transient attributes as agents said them last, also those that are held back and not in the CIB yet
         * @description For `attrd_updater --query`. Private ones of other nodes are among them.
         */
        get: operations["agentReadAttributes"];
        put?: never;
        /**
         * Set or clear node attributes, all or none
         * @description Of the agent’s own node, and what the resource agents there may say of others. An attribute that has the value already is no change. A name that holds what can’t be seen, and what XML can’t carry, is refused of what is set; it can be cleared.
         */
        post: operations["agentAttributes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/cib": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the CIB as XML
         * @description The whole of it, configuration and status, for tools of resource agents.
         */
        get: operations["agentCib"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/fencing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how nodes were fenced lately, and by which devices one can be
         * @description For `stonith_admin --history`, `--last` and `--list`.
         */
        get: operations["agentFencing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/guest-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a token for the agent inside of a bundle's container
         * @description For the host that was told to start the container, until it has answered; refused as `not-for-this-agent` else. All tokens that the node inside had are revoked. The audit has the host as who.
         */
        post: operations["agentGuestToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/installed-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say which resource and fence agents the node has
         * @description All that there are, in the place of what the node told before. The answer names some whose meta-data the server has not.
         */
        post: operations["agentInstalledAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join: get an incarnation and a lease; ends the earlier incarnation
         * @description An agent joins when it starts, and whenever it is told to (`lease-lost`, `log-epoch-changed`). Each join makes a new incarnation of the node, with a lease of its own; what runs on the node goes on and is probed. A join that is repeated because its answer was lost gets the same incarnation.
         */
        post: operations["agentJoin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give the lease back, after the resources were stopped
         * @description The node counts as gone in order: nothing runs there, and nobody fences it. Refused as long as something managed is active there by what is known.
         */
        post: operations["agentLeave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the lease, and wait for something to do
         * @description The lease is renewed at once. The answer comes as soon as there is something to do that the agent does not name in `known`, and at the latest when its wait is over. An answer that is lost loses nothing: what was not begun is delivered again.
         */
        post: operations["agentPoll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/private-attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say which attributes are private on the node, for the agents of other nodes
         * @description All that there are, in the place of what the node told before. Neither the CIB nor the event log has them, and nobody but agents of the cluster reads them; they are gone when this life of the node ends.
         */
        post: operations["agentPrivateAttributes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report results
         * @description Facts: recorded whatever their age. A result that was recorded before is acknowledged again and not recorded twice. What nobody asked the node for is acknowledged, named in `dropped`, and counted in the log (ResultsDropped).
         */
        post: operations["agentResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/shutdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask that the node's resources be stopped or moved
         * @description The answer to a poll says `shutdown: true` when that is done; then the agent may leave.
         */
        post: operations["agentShutdown"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agent/tool-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write what one of Pacemaker's command-line tools asks for on the node
         * @description As far as the cluster option `systole-agent-writes` lets that node: refused as `not-for-this-agent` else. The event log has the agent as who, and the tool with the resource whose agent called it as why.
         */
        post: operations["agentToolRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the server's audit; with `everything`, what was done anywhere
         * @description Clusters added and removed, tokens issued and withdrawn, changes that were carried out, refused requests, reads of configurations, starts and stops; in the order of their times, a page at a time. With `everything=true` the events of all clusters are among them: `?everything=true&actor=user:alice&since=1d` is all that alice did since yesterday.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit (NDJSON or CSV)
         * @description All entries that the filters let through, one a line, however many; an answer that was cut off is not complete. In CSV, what a spreadsheet would take for a formula has an apostrophe before it.
         */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clusters, by name
         * @description Those that were not deleted and that the token is for, a page at a time.
         */
        get: operations["listClusters"];
        put?: never;
        /**
         * Make a cluster
         * @description Without a CIB its configuration is empty. Nodes join with tokens of their own.
         */
        post: operations["createCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cluster by its id or name
         * @description Its name, version, nodes and quorum in a few fields; `…/status` says more.
         */
        get: operations["getCluster"];
        put?: never;
        post?: never;
        /**
         * Delete a cluster
         * @description What runs keeps running, unmanaged: its agents are told so, and end. Its events stay. With `stop=true` everything is stopped first; the answer does not wait for it.
         */
        delete: operations["deleteCluster"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/alert-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of alerts' programs
         * @description Newest first, each recipient on each node by itself; kept for some days (SYSTOLE_KEEP_DELIVERIES_DAYS of the workers).
         */
        get: operations["listAlertRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/alerts/{alert}/commands/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the program of an alert run, to see whether it works
         * @description For each of its recipients, on one node, whatever the alert selects: it is told of a node, with `test` as what has become of it. What came of it is read in the list of runs.
         */
        post: operations["testAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/cib": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the CIB, as JSON or XML (Accept)
         * @description As Pacemaker’s tools read it, of now or of an earlier version of the cluster.
         */
        get: operations["getCib"];
        /**
         * Replace the configuration
         * @description The `configuration` of the document replaces the present one; its `status` is ignored, because status is what agents report. A document of an older schema is brought to the current one, of the Heartbeat 2 generation, too; `upgrade` in the answer says what was changed.
         */
        put: operations["replaceCib"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/cancel-deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call off a deletion that stops everything first
         * @description What was stopped may start again. Refused when nobody asked for the deletion.
         */
        post: operations["cancelClusterDeletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/cleanup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget all failures, and the history where something failed, so that it is probed again
         * @description Of all resources, or of one node’s; what did not fail is left alone. As `pcs resource cleanup` without a resource.
         */
        post: operations["cleanUpResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/clear-fencing-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Note that how nodes were fenced until now was seen
         * @description What came before is not shown any more by the status in crm_mon's formats nor by `systole fencing history`. The events stay, and what fencing failed lately goes on to count (`fencing-max-attempts`).
         */
        post: operations["clearFencingHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/maintain-nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave everything on several nodes, or all, as it is
         * @description The attribute `maintenance` of these nodes, in one event.
         */
        post: operations["maintainNodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave everything in the cluster as it is
         * @description The option `maintenance-mode`.
         */
        post: operations["maintainCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget all that is known of all resources, so that they are probed again
         * @description What runs goes on running while it is looked for. As `pcs resource refresh` without a resource.
         */
        post: operations["refreshResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/relocate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move all resources to where they would be if they ran nowhere
         * @description For a time their stickiness counts for nothing, by sets of meta-attributes that end by themselves: with the wait that this always does, for `timeout` seconds (60 when left out), whatever becomes of the caller or the server. A dry run shows what would move; where nothing would, nothing is written.
         */
        post: operations["relocateResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/standby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move everything off all nodes, or several, as one event
         * @description Those that are named, or every node of the cluster; refused as a whole when one of them can not be put in standby.
         */
        post: operations["standbyNodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/start-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let all resources run again that `stop-all` has stopped
         * @description Clears the option `stop-all-resources`: what is disabled for itself stays stopped.
         */
        post: operations["startAllResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/stop-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop all resources, and keep them stopped
         * @description The option `stop-all-resources`. Fence devices go on, nodes stay members, and what each `target-role` says stays as it is. What is not managed is left alone.
         */
        post: operations["stopAllResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/tool-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write what one of Pacemaker's command-line tools asks for
         * @description In the words in which tools on nodes ask by the token of an agent (`/v1/agent/tool-requests`), and with the same checks as the other commands and edits. What is changed is found when it is changed, so nothing has to be read before.
         */
        post: operations["requestByTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/unmaintain-nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look after what runs on several nodes, or all, again
         * @description The attribute `maintenance` of these nodes, in one event.
         */
        post: operations["unmaintainNodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/unmaintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look after everything in the cluster again
         * @description Clears the option `maintenance-mode`: what runs is probed, monitored and managed again.
         */
        post: operations["unmaintainCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/commands/unstandby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let all nodes, or several, run resources again, as one event
         * @description Those that are named, or every node of the cluster, as one change.
         */
        post: operations["unstandbyNodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the whole configuration, as JSON or XML (Accept)
         * @description Of now or as of a version (`at`); without status. As JSON by collection, without comments; as XML it is `<configuration>`.
         */
        get: operations["getConfiguration"];
        /**
         * Make the configuration that of a document
         * @description What is left out is deleted; what stands elsewhere in it is moved. Ids, order and comments stay where nothing else is said. As XML it is taken as it is. A large one goes to `PUT …/cib`.
         */
        put: operations["replaceConfiguration"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the configuration by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)
         * @description Of the document as it is read. A list in a merge patch replaces the list: what it leaves out is deleted.
         */
        patch: operations["patchConfiguration"];
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the elements of a collection
         * @description With where each stands, in the order of the configuration; a page at a time, of now or as of a version (`at`). A page goes on after the last entry of the one before, wherever that is now; when that is gone, it is refused with 409 (`list-changed`): begin again. All pages of one version are had with `at`.
         */
        get: operations["listElements"];
        put?: never;
        /**
         * Add an element; ids that are left out are made
         * @description Refused when its id is taken, when something in it is wrong, or when what it refers to is not there.
         */
        post: operations["createElement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration/{collection}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an element, as JSON or XML (Accept)
         * @description A node can be named by its name, too.
         */
        get: operations["getElement"];
        /**
         * Replace an element
         * @description Ids that are left out, the order and the comments stay where names or ids are the same: one value changed is one pair changed.
         */
        put: operations["replaceElement"];
        post?: never;
        /**
         * Delete an element
         * @description Refused with 409 and all that refers to it, unless that is taken along.
         */
        delete: operations["deleteElement"];
        options?: never;
        head?: never;
        /**
         * Change an element by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)
         * @description Of the element as it is read. In a merge patch `null` removes a field or a pair, and a list replaces a list. A JSON Patch is made as a whole or not at all; a `test` that fails refuses it with 409.
         */
        patch: operations["patchElement"];
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration/{collection}/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move an element: among its siblings, into a group, clone or bundle, or out of it
         * @description It keeps its id and all that refers to it. Its place decides the order of a group, and of resources that are else equal.
         */
        post: operations["moveElement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make several edits of the configuration, in their order, as one event or none
         * @description Each edit sees what those before it have done. The whole is validated once, with all edits made.
         */
        post: operations["editConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration/op-defaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the defaults of operations
         * @description Of now, or as of a version (`at`): names and values, or the full sets where there are several or some have rules.
         */
        get: operations["getOpDefaults"];
        /**
         * Replace the defaults of operations
         * @description What is left out is gone: it counts by its default from then on.
         */
        put: operations["replaceOpDefaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the defaults of operations by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)
         * @description What a merge patch names is set, or taken away with null; all else stays.
         */
        patch: operations["patchOpDefaults"];
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the options of the cluster
         * @description Of now, or as of a version (`at`): names and values, or the full sets where there are several or some have rules.
         */
        get: operations["getProperties"];
        /**
         * Replace the options of the cluster
         * @description What is left out is gone: it counts by its default from then on.
         */
        put: operations["replaceProperties"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the options of the cluster by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)
         * @description What a merge patch names is set, or taken away with null; all else stays.
         */
        patch: operations["patchProperties"];
        trace?: never;
    };
    "/v1/clusters/{cluster}/configuration/rsc-defaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the defaults of resources
         * @description Of now, or as of a version (`at`): names and values, or the full sets where there are several or some have rules.
         */
        get: operations["getRscDefaults"];
        /**
         * Replace the defaults of resources
         * @description What is left out is gone: it counts by its default from then on.
         */
        put: operations["replaceRscDefaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the defaults of resources by a merge patch (RFC 7396) or a JSON Patch (RFC 6902)
         * @description What a merge patch names is set, or taken away with null; all else stays.
         */
        patch: operations["patchRscDefaults"];
        trace?: never;
    };
    "/v1/clusters/{cluster}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the configurations of two versions, or times
         * @description Of versions or times anywhere in the log of the cluster, in either order.
         */
        get: operations["diffConfigurations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a cluster's events
         * @description Every change, report and decision, with who, when and why; oldest first, a page at a time. Administrators read those of a cluster that was deleted, by its id.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/events/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one event
         * @description By its version in the stream of the cluster, with its hashes.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a cluster's events (NDJSON or CSV)
         * @description All events that the filters let through, up to the newest one of now, one a line; a million of them take no more memory than a page. An answer that was cut off is not complete. In CSV, what a spreadsheet would take for a formula has an apostrophe before it.
         */
        get: operations["exportEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a cluster's events (server-sent events)
         * @description Each event has an `id` that begins with its version and tells it from another one of that version in a log that was restored, its type as `event`, and EventDto as `data`. Comments keep an idle connection alive, and say with an `id` how far it has come where events are passed over. When the log no longer holds the event that was seen last (the database was restored), the stream ends with the event `gone`, which has no id and ProblemDto as `data`: read the state again, and follow from there.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain where resources go and why, and the reasons of every action
         * @description Computed from the present state, or from an earlier one (`at`): for each resource the rule that decided and every candidate node with its score, for each action the chain of its reasons.
         */
        get: operations["getExplanation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/fail-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how often operations failed, by resource, node and operation
         * @description As the scheduler counts them, with the time of the last failure; `INFINITY` where one failure was enough.
         */
        get: operations["listFailCounts"];
        put?: never;
        post?: never;
        /**
         * Forget failures, so that what failed is probed again where it failed
         * @description The same as a cleanup. What has not failed is left alone.
         */
        delete: operations["clearFailCounts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/fencing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how nodes were fenced lately, and by which devices one can be
         * @description What the status in the form of `crm_mon` tells of fencing, and `stonith_admin --history` and `--list`: the newest outcomes, without what somebody has noted to have seen (`clear-fencing-history`). Each attempt by itself, and what was seen, is among the events.
         */
        get: operations["getFencing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/metadata/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resource and fence agents that the cluster's nodes have
         * @description As the nodes have told, each with its versions and the nodes that have them.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/metadata/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what an agent says about itself
         * @description Its parameters and actions with their descriptions, in each version that nodes have.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics of one cluster, for Prometheus
         * @description What its status says, in numbers: health, quorum, nodes by state, resources by role, fail counts, fencing, in the text format 0.0.4. Made of the same answer as the status, so that it costs nothing besides where somebody looks at that at about the same time.
         */
        get: operations["getClusterMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the nodes of a cluster
         * @description Those that are configured, and those that have joined.
         */
        get: operations["listNodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one node
         * @description Its membership, lease, attributes and what runs there.
         */
        get: operations["getNode"];
        put?: never;
        post?: never;
        /**
         * Take a node out of the configuration, with its attributes
         * @description Refused while it may run something, and while anything names it, unless `cascade=true`. Should its agent join again, it is a node of the cluster again: revoke its token.
         */
        delete: operations["removeNode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attributes that are written for a node
         * @description Also those that others go before: that of the node until its reboot counts before the permanent one.
         */
        get: operations["listNodeAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/attributes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an attribute that is written for a node
         * @description The one that counts, or the one of a `lifetime`.
         */
        get: operations["getNodeAttribute"];
        /**
         * Set an attribute of a node
         * @description For good, or until the next reboot of the node.
         */
        put: operations["setNodeAttribute"];
        post?: never;
        /**
         * Clear an attribute of a node
         * @description The permanent one, or the one until the next reboot.
         */
        delete: operations["clearNodeAttribute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/allow-fencing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a node be fenced although many were fenced lately
         * @description Fencing waits when `systole-fencing-limit` nodes were fenced within ten minutes (status says so). This lets it go on for this node, until it joins again, whether it is lost, never joined, or failed while it holds a lease.
         */
        post: operations["allowNodeFencing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/confirm-down": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Vouch that a node is down
         * @description Its resources may be started elsewhere at once. If the node still runs them, data can be destroyed: switch it off first. Refused while the node holds a lease, unless an earlier boot of it is what may run on.
         */
        post: operations["confirmNodeDown"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/fence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fence a node
         * @description The scheduler plans its fencing with the devices of the configuration; no limit holds it. Refused for a node that is known to be off, and where fencing is switched off.
         */
        post: operations["fenceNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave everything on a node as it is
         * @description As the permanent attribute `maintenance`: nothing is started, stopped, or monitored there.
         */
        post: operations["maintainNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/power-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a node on by a fence device
         * @description One that left, was fenced, or was confirmed down. Only the machine is switched on: its agent joins when it has come up. The answer has what the fence device said (`tried`), or says that it goes on.
         */
        post: operations["powerOnNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a node that runs nothing another name
         * @description Its attributes and utilization stay, and constraints, fencing levels, rules with `#uname`, `pcmk_host_list` and `pcmk_host_map` name it by the new name, in one event. To the cluster it is a node that was never heard of: it needs an agent token for the new name, and the old one is to be revoked (`warnings` name it). Refused (`node-online`, `still-active`) while it may run anything.
         */
        post: operations["renameNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/standby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move everything off a node, and keep it off
         * @description As the permanent attribute `standby`: it stays so until somebody takes it back, also after a reboot. With `lifetime` `reboot` as a transient one, for a node that is online.
         */
        post: operations["standbyNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/unmaintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Manage what runs on a node again
         * @description What runs there is probed and managed again.
         */
        post: operations["unmaintainNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/commands/unstandby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a node run resources again
         * @description Takes the attribute `standby` back, the permanent one and that until the reboot.
         */
        post: operations["unstandbyNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/utilization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a node can carry
         * @description What resources take of it is in their `utilization`; it counts where `placement-strategy` says so.
         */
        get: operations["listNodeUtilization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/nodes/{node}/utilization/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how much of something a node can carry
         * @description What resources take of it is in their `utilization`.
         */
        get: operations["getNodeUtilization"];
        /**
         * Say how much of something a node can carry
         * @description Counts where `placement-strategy` says so.
         */
        put: operations["setNodeUtilization"];
        post?: never;
        /**
         * Say nothing more about how much of something a node can carry
         * @description Then the node has nothing of it for resources that ask for some.
         */
        delete: operations["clearNodeUtilization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resilience": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what would stop, move and stay down at the loss of each node, pair or group of nodes
         * @description Nothing is done: each loss is planned and carried out in thought, with fencing and with the quorum that would be left, beginning from the cluster once all that is planned already was done. With `Accept: application/x-ndjson` it is told how many are tried, then each loss as soon as it is known, a line each, and at last the whole without its losses: an answer that does not end with that is not complete. Who goes away ends it.
         */
        post: operations["tryLosses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a resource away from a node
         * @description Leaves the constraint `cli-ban-<resource>-on-<node>`, as `crm_resource --ban` does.
         */
        post: operations["banResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/cleanup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget a resource's failures, and its history where it failed, so that it is probed again
         * @description A group, clone or bundle stands for all its primitives.
         */
        post: operations["cleanUpResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove what moves and bans of a resource have left behind
         * @description All of them, those for one node, those of the promoted role, or those that are over: `cli-prefer-…` and `cli-ban-…`, and no other constraint.
         */
        post: operations["clearResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/debug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have one operation of a resource carried out on a node, and see what its agent says
         * @description Of a primitive, outside of any plan; recorded with who and why. The answer has what came of it (`tried`), or says that it goes on: then the event DebugOperationEnded will say. `start` and `promote` are refused (`still-managed`, `still-active`, `transition-running`) unless nobody else may start it: it is not managed or the cluster is in maintenance, nothing is under way, and it is known to run nowhere else. After all but `monitor` and `validate-all` the resource is probed there, so that the cluster knows what is so. At most once: an agent that crashes meanwhile never repeats it. A dry run says whether it would be refused.
         */
        post: operations["debugResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/demote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep all instances of a promotable clone unpromoted
         * @description Its `target-role` becomes `Unpromoted`. `enable` takes that away again.
         */
        post: operations["demoteResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a resource, and keep it stopped
         * @description Its `target-role` becomes `Stopped`; for what stands directly in a clone or bundle, that of the clone or bundle. With `safe=true` refused when anything else would be stopped, moved or demoted.
         */
        post: operations["disableResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a resource run
         * @description Takes its `target-role` away, or says `Started` where a default says otherwise. Refused for a part of what is disabled as a whole.
         */
        post: operations["enableResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a resource as it is, and do not monitor it
         * @description Its `maintenance` becomes `true`.
         */
        post: operations["maintainResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start and stop a resource again as the cluster sees fit
         * @description Takes `is-managed` away, also from what stands in it, or says `true` where a default says otherwise.
         */
        post: operations["manageResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a resource to a node, or away from where it runs
         * @description Leaves the constraint `cli-prefer-<resource>`, in the place of earlier moves, or (without a node) `cli-ban-<resource>-on-<node>`, as `crm_resource --move` does. What stands in a clone or bundle is moved with that.
         */
        post: operations["moveResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Promote as many instances of a promotable clone as it may have
         * @description Its `target-role` becomes `Promoted`. `enable` takes that away again.
         */
        post: operations["promoteResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget all that is known of a resource, failed or not, so that it is probed again
         * @description A group, clone or bundle stands for all its primitives.
         */
        post: operations["refreshResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/relocate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a resource to where it would be if it ran nowhere
         * @description For a time their stickiness counts for nothing, by sets of meta-attributes that end by themselves: with the wait that this always does, for `timeout` seconds (60 when left out), whatever becomes of the caller or the server. A dry run shows what would move; where nothing would, nothing is written.
         */
        post: operations["relocateResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a resource another id
         * @description Whatever refers to it (constraints, sets, tags, fencing levels, …) refers to the new id, in one event. What is known by the id, a primitive or a bundle, is refused (`still-active`) unless it is stopped: disable it first. What was known of it is forgotten, so the new one is probed. Ids of its sets and operations stay.
         */
        post: operations["renameResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a resource and start it again
         * @description Answers when it was stopped and may start again, after `timeout` seconds (60 when left out) at the latest; with `wait=settled` when the cluster has settled after that. It is stopped by a set of meta-attributes that ends by itself after that time: what its `target-role` was holds again whatever becomes of the caller or the server. A dry run shows the stop.
         */
        post: operations["restartResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/unmaintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look after a resource again
         * @description Takes `maintenance` away, also from what stands in it, or says `false` where a default says otherwise.
         */
        post: operations["unmaintainResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/commands/unmanage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a resource as it is, but go on monitoring it
         * @description Its `is-managed` becomes `false`.
         */
        post: operations["unmanageResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/resources/{resource}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to a resource
         * @description Changes of its configuration, of what it stands in and of what refers to it; its operations, failures and moves; and the loss and fencing of nodes on which it has been, as far as their status tells. Also of one that was deleted.
         */
        get: operations["getResourceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring an earlier configuration back
         * @description The configuration of a version, or of a time, replaces the present one, as a change of its own; nothing of the log is undone. What is known of the nodes stays, and status is what agents report. Refused with all findings when it is not valid (any more).
         */
        post: operations["restoreConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets that the server keeps for a cluster
         * @description Whose they are, since when and by whom, and which were erased; never their values. What lies on nodes is not among them.
         */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/secrets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a secret: whose it is, and where it is used
         * @description With its value for who may see it and asks for it (`secrets=clear`).
         */
        get: operations["getSecret"];
        put?: never;
        post?: never;
        /**
         * Erase a secret: its value is gone for good, for the past, too
         * @description The key that opens it is deleted. A reference that still stands in the configuration stays, as a finding; what uses it fails from the next time on that it is started. What nodes were given they forget when they are given other actions for it, or are restarted.
         */
        delete: operations["eraseSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what would become of a cluster if it were edited, lost nodes, quorum or tickets, or if operations failed
         * @description Nothing is done. The edits are made first, then what happens is taken in, in the order of the fields here; then it is planned and carried out in thought, plan by plan, until the cluster rests. Operations succeed unless they are named in `failures`. As `crm_simulate --simulate` does with its injections, but to the end.
         */
        post: operations["whatIf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a cluster: nodes, resources, failures, what is going on
         * @description What is so now, or was at a version or time (`at`), what is being done about it, and what is waited for and why. As `application/xml` it is what `crm_mon --output-as=xml` of Pacemaker 2.1 prints, so that exporters and check scripts read it.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tickets, also those that only constraints name
         * @description With whether each is granted, since when, and whether it is in standby.
         */
        get: operations["listTickets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/tickets/{ticket}/commands/cleanup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget what is known of a ticket that is not granted
         * @description When it was granted last, and whether it is in standby, is not known any more. Constraints that name it stay. Refused for one that is granted.
         */
        post: operations["cleanUpTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/tickets/{ticket}/commands/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant a ticket: what depends on it may run here
         * @description Any ticket can be granted, also before a constraint depends on it. Whether another site has it nobody checks here.
         */
        post: operations["grantTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/tickets/{ticket}/commands/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a ticket: what depends on it stops, as its constraint says
         * @description The `loss-policy` of each constraint decides: what depends on the ticket is stopped or demoted, left as it is, or its nodes are fenced.
         */
        post: operations["revokeTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/tickets/{ticket}/commands/standby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a ticket in standby: what depends on it stops in good order
         * @description It stays granted; what depends on it is stopped in order before it is given to another site.
         */
        post: operations["standbyTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/tickets/{ticket}/commands/unstandby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a ticket out of standby
         * @description What depends on it may run again, if it is granted.
         */
        post: operations["unstandbyTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/transitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transitions, newest first
         * @description What was planned, from which version, why, and how it ended; also by what they contain: fencing, a resource, a node, an outcome.
         */
        get: operations["listTransitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/transitions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transition with its graph: as JSON, or for Graphviz (Accept: text/vnd.graphviz)
         * @description With the actions, what each waits for, and what has come of it so far.
         */
        get: operations["getTransition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/transitions/{number}/commands/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin nothing more of the transition that runs, and plan anew
         * @description What is under way is waited for; then the cluster plans again from what is so by then. It plans the same again unless something else was changed. Refused for one that is not running.
         */
        post: operations["abortTransition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/transitions/{number}/dot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transition's graph for Graphviz
         * @description Actions and what each waits for, as a digraph.
         */
        get: operations["getTransitionDot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/transitions/{number}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a transition: the reasons of its actions, computed again from the state and the time that it was planned from
         * @description With what else would have been possible, and the scores and constraints that decided.
         */
        get: operations["explainTransition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/{cluster}/transitions/{number}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compute a transition again from the events, and compare
         * @description The graph’s digest is compared with the one that was recorded: they differ only if events were changed, or the scheduler decides otherwise by now.
         */
        get: operations["replayTransition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of all clusters (server-sent events)
         * @description Of all clusters that there are for the one who asks, those that come later included; in an order in which the events of each cluster are in theirs. Each has an `id` that begins with its global position, its type as `event`, and AuditEntryDto as `data`. Comments keep an idle connection alive, and say with an `id` how far it has come. When the log no longer holds the event that was seen last (the database was restored), the stream ends with the event `gone`, which has no id and ProblemDto as `data`. It ends, too, when the token does.
         */
        get: operations["streamAllEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evidence/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the log with its hashes and signed heads, to be verified offline
         * @description NDJSON: a header, each event as `{"hash", "event"}` with the text that its hash covers, stream after stream from the first event on, and an end. `systole audit verify` checks it without a server.
         */
        get: operations["exportEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/evidence/heads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signed heads of the log
         * @description Statements of which events were the newest of each stream, signed by a worker with an Ed25519 key, chained to one another. Whoever keeps them elsewhere can tell later whether the log lost its end or was written anew.
         */
        get: operations["listSignedHeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/alert-meta-attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the meta-attributes of alerts
         * @description Also those of their recipients.
         */
        get: operations["listAlertMetaAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/cluster-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cluster options
         * @description Every option of `crm_config` that means something, with what it takes, its default and what it does.
         */
        get: operations["listClusterOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/constraint-attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attributes of constraints
         * @description Also those of their sets and rules, and of fencing levels. A name may stand several times, for what it means on each.
         */
        get: operations["listConstraintAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/fence-device-parameters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the parameters of fence devices that the cluster itself reads
         * @description Instance attributes of primitives of the class `stonith` whose names begin with `pcmk_`. Its agent says what else it takes.
         */
        get: operations["listFenceDeviceParameters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/node-attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attributes of nodes that the cluster itself reads
         * @description Nodes may have any others besides, for rules and for resource agents.
         */
        get: operations["listNodeAttributeNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/operation-attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attributes of operations
         * @description They may stand in the `op` itself, in its meta-attributes, or in `op_defaults`.
         */
        get: operations["listOperationAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metadata/resource-meta-attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the meta-attributes of resources
         * @description Also those of `rsc_defaults`, and those that make a resource a guest node.
         */
        get: operations["listResourceMetaAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compute the schedule for a CIB; nothing is stored and nothing is done
         * @description As `crm_simulate` does: what would be done, where each resource would be, and with what scores.
         */
        post: operations["simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens that are valid
         * @description Without their secrets, of which only hashes are kept.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Make a token; its secret is shown this once
         * @description For an operator, viewer or administrator, or for the agent of one node.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a token that is valid
         * @description Without its secret, of which only a hash is kept. One that was revoked, or has ended, is not there.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revoke a token, at once
         * @description Requests that are under way with it are ended, too.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description In the order of their names, with how far each has got. Secrets are shown to nobody.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Make a webhook; its secret is shown this once
         * @description Events that fit are posted to it by the workers, each at least once, those of a cluster in their order, signed as Standard Webhooks has it. What can not be delivered is tried again for days; then the webhook is disabled.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description With how far it has got, and what goes wrong.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description With the log of its deliveries. That it was there stays in the audit.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description What is left out stays. What is being sent at the moment may still go by what was before. A webhook that was changed is tried at once.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts to deliver to a webhook
         * @description Newest first, each attempt by itself; kept for some days (SYSTOLE_KEEP_DELIVERIES_DAYS of the workers).
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an attempt to deliver
         * @description Also one that is still to be made.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the event of an earlier attempt again
         * @description Once, with the same `webhook-id`, also to a webhook that is disabled; where it goes on is not changed by it.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret, shown this once
         * @description For 24 hours messages are signed with the one before, too, so that the receiver can change over without missing any.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try whether the receiver answers
         * @description A worker sends a message of the type `WebhookTest`, once, also to a webhook that is disabled. What became of it is read at its delivery.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description <acl_group> */
        AclGroupElement: {
            /** @description Attribute id. */
            id: string;
            /** @description Attribute name. */
            name?: string;
            /** @description <role>, in order. */
            role?: components["schemas"]["RoleElement"][];
        };
        /** @description <acl_permission> */
        AclPermissionElement: {
            /** @description Attribute attribute. */
            attribute?: string;
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id?: string;
            /**
             * @description Attribute kind.
             * @enum {string}
             */
            kind: "read" | "write" | "deny";
            /** @description Attribute object-type. */
            "object-type"?: string;
            /** @description Attribute reference. */
            reference?: string;
            /** @description Attribute xpath. */
            xpath?: string;
        };
        /** @description <acl_role> */
        AclRoleElement: {
            /** @description <acl_permission>, in order. */
            acl_permission?: components["schemas"]["AclPermissionElement"][];
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id: string;
        };
        /** @description <acl_target> */
        AclTargetElement: {
            /** @description Attribute id. */
            id: string;
            /** @description Attribute name. */
            name?: string;
            /** @description <role>, in order. */
            role?: components["schemas"]["RoleElement"][];
        };
        ActionExplanationDto: {
            /** @description From the nearest reason to the one at the root. */
            because: components["schemas"]["ReasonDto"][];
            /** @description The id that it has in the graph, if it is there. */
            id: number;
            /**
             * @description The action in words.
             * @example start of db on node1
             */
            name: string;
            /** @description Name of the node on which it is to be done; absent where it is of none. */
            node?: string;
            /**
             * @description What is to be done, as in a graph.
             * @example start
             */
            operation: string;
            /** @description Id of the resource that it is of; absent of what is done to a node, e.g. fencing. */
            resource?: string;
            /**
             * @description `blocked`: needed, but not possible.
             * @enum {string}
             */
            state: "planned" | "blocked";
        };
        ActionResultDto: {
            /** @description The action's id in the graph. */
            id: number;
            /** @description Whether it was as expected. */
            ok: boolean;
            /** @description Return code (OCF): 0 is success, 7 not running. */
            rc: number;
            /**
             * @description How the execution ended, whatever the agent answered, e.g. `timeout`.
             * @example done
             */
            status: string;
        };
        ActivePlaceDto: {
            /** @description Name of the node. */
            node: string;
            /**
             * @description The role that it has there.
             * @enum {string}
             */
            role: "Started" | "Unpromoted" | "Promoted";
        };
        AffectedResourceDto: {
            /** @description Where it is active when the cluster has come to rest; empty: nowhere. */
            after: components["schemas"]["ActivePlaceDto"][];
            /** @description Where it was active before. */
            before: components["schemas"]["ActivePlaceDto"][];
            /**
             * @description The worst first. `down`: it ran, and runs nowhere any more. `demoted`: nothing of it is promoted any more. `reduced`: fewer instances run. `moved`: as many run, elsewhere. `restarted`: it is where it was, and was stopped meanwhile.
             * @enum {string}
             */
            effect: "down" | "demoted" | "reduced" | "moved" | "restarted";
            /** @description A primitive; all instances of a clone are told of together. */
            resource: string;
        };
        AgentAction: {
            /** @description `<epoch>:<transition>:<graph action id>`; executed at most once, however often it is delivered. */
            actionId: string;
            /** @description How long a demote of this resource may take, where it can be promoted; for stopping it without the server. ms. */
            demoteTimeoutMs?: number;
            /** @description Comes back in the result. */
            digests?: {
                /** @description Of all parameters. */
                opDigest: string;
                /** @description Names of parameters whose change asks for a restart. */
                opForceRestart?: string;
                /** @description Of those parameters. */
                opRestartDigest?: string;
                /** @description Of all but those parameters. */
                opSecureDigest?: string;
                /** @description Names of parameters that are secret. */
                opSecureParams?: string;
            };
            /** @description Return code that the transition expects; another one is reported as it is. */
            expectedRc: number;
            /** @description Of `fence`: whom, by what, and how. */
            fence?: {
                /**
                 * @description What the device is told.
                 * @enum {string}
                 */
                action: "off" | "reboot" | "on";
                /** @description Program name of the fence agent. */
                agent: string;
                /** @description The plug stands in `port` only because the device names no option for it: it goes into `plug` where the program takes that. */
                argumentByAgent?: boolean;
                /** @description How it is made sure first that the device can fence the node, within the time of the action; absent: it can. One that can not is reported with status `not-supported`. */
                check?: {
                    /**
                     * @description `auto`: by its list where the program has one, else by its status where it has that, else not at all.
                     * @enum {string}
                     */
                    how: "auto" | "dynamic-list" | "status";
                    /** @description For a list of the nodes. */
                    list: {
                        /** @description What the agent is told. */
                        action: string;
                        /** @description How long it may take, ms. */
                        timeoutMs: number;
                        /** @description How often it is tried, as far as there is time. */
                        tries: number;
                    };
                    /** @description For the state of the node. */
                    status: {
                        /** @description What the agent is told. */
                        action: string;
                        /** @description How long it may take, ms. */
                        timeoutMs: number;
                        /** @description How often it is tried, as far as there is time. */
                        tries: number;
                    };
                };
                /** @description Resource id of the device. */
                deviceId: string;
                /** @description Id of the attempt. */
                fencingId: string;
                /** @description Options for its stdin. */
                parameters: {
                    [key: string]: string;
                };
                /** @description Node that is to be fenced. */
                target: string;
            };
            /** @description 0 for what runs once. */
            intervalMs: number;
            /**
             * @description What is asked for: an operation of a resource, the fencing of a node, that an operation recurs no more, or (`debug`, only of agents that speak 1.7) an operation that a person asked for, outside of any plan.
             * @enum {string}
             */
            kind: "operation" | "fence" | "cancel" | "debug";
            /** @description `CRM_meta_*`. */
            meta: {
                [key: string]: string;
            };
            /** @description Of a migration. */
            migrateSource?: string;
            /** @description Of a migration. */
            migrateTarget?: string;
            /** @description For `cancel`: the operation whose recurrence ends. */
            operation: string;
            /** @description Resource parameters. */
            parameters: {
                [key: string]: string;
            };
            /** @description The resource that it is of; of fencing, the device. */
            resource: {
                /**
                 * @description Standard.
                 * @example ocf
                 */
                class: string;
                /** @description Id of the `lrm_resource`; the same for all instances of an anonymous clone. */
                historyId: string;
                /** @description Instance name (OCF_RESOURCE_INSTANCE). */
                id: string;
                /** @description Provider. */
                provider?: string;
                /** @description Agent's name. */
                type: string;
            };
            /** @description Values of the references in the parameters; an agent keeps them apart from everything else. */
            secrets?: {
                [key: string]: string;
            };
            /** @description To wait before the first run, ms. */
            startDelayMs?: number;
            /** @description How long a stop of this resource may take; for stopping it without the server. ms. */
            stopTimeoutMs?: number;
            /** @description After which the agent kills it, ms. */
            timeoutMs: number;
            /** @description `<graph action id>:<transition>:<expected rc>:<epoch>`. */
            transitionKey: string;
            /** @description Nobody has told what the meta-data of the resource agent say: the digests hold `opDigest` alone, and the agent adds the others to the result where it can read them in time. */
            undescribed?: boolean;
            /** @description Why the value of a reference in the parameters is not given. */
            withheld?: {
                [key: string]: string;
            };
        };
        AgentAlertsAnswer: {
            /** @description To be run; those of one alert and recipient one after the other, in this order. */
            alerts: {
                /** @description Id of the alert. */
                alert: string;
                /** @description When it happened, ms since 1970. */
                atMs: number;
                /** @description Id of the run: no other one of the installation has it, and later ones have greater ones. */
                id: number;
                /** @description Further variables: the instance attributes of the alert. */
                options: {
                    [key: string]: string;
                };
                /** @description Of the program. */
                path: string;
                /** @description Id of the recipient. */
                recipient?: string;
                /** @description Values of the references in the options; an agent keeps them apart from everything else. */
                secrets?: {
                    [key: string]: string;
                };
                /** @description After which the agent kills it, ms. */
                timeoutMs: number;
                /** @description How the time is to be written, as date(1) has it. */
                timestampFormat: string;
                /** @description `CRM_alert_*`: but for the time and the number, which the agent adds. */
                variables: {
                    [key: string]: string;
                };
                /** @description Why the value of a reference in the options is not given. */
                withheld?: {
                    [key: string]: string;
                };
            }[];
        };
        AgentAlertsRequest: {
            /** @description Runs that have ended. Told until an answer came. */
            ended: {
                /** @description What it printed last, or why it was not begun; for people. */
                detail?: string;
                /** @description How long it took, ms. */
                execMs: number;
                /** @description Id of the run: no other one of the installation has it, and later ones have greater ones. */
                id: number;
                /**
                 * @description It exited with 0; with something else, or by a signal; it was killed as its time was up; it was not begun.
                 * @enum {string}
                 */
                outcome: "done" | "failed" | "timeout" | "not-run";
                /** @description Exit code. */
                rc?: number;
            }[];
            /** @description As the join gave it. */
            incarnation: number;
            /** @description Runs that the agent has, and that have not ended. */
            known: number[];
            /** @description How long to wait for something to run, ms; the server may answer earlier. */
            waitMs: number;
        };
        AgentAttributesAnswer: {
            /** @description What is set until the reboot of its node. */
            attributes: {
                /** @description Name of the attribute. */
                name: string;
                /** @description Name of the node. */
                node: string;
                /** @description It is in no CIB and no event log: agents of the cluster alone are told. Absent: it is not. */
                private?: boolean;
                /** @description What was said last, be it written yet or held back. */
                value: string;
            }[];
        };
        AgentAttributesRequest: {
            /** @description In this order. */
            changes: {
                /** @description Added to the value that it has, which counts as a score; `value` does not count then. */
                add?: number;
                /** @description How long changes of the attribute, which lasts until the reboot, wait for others of it, on whatever node, from now on: all are written together when none came for so long. Absent: it stays as it is. */
                delay?: {
                    /** @description ms; 0: changes are written at once. */
                    ms: number;
                    /**
                     * @description `new`: where the attribute is not known yet. `also`: together with the value. `only`: the delay and not the value.
                     * @enum {string}
                     */
                    sets: "new" | "also" | "only";
                };
                /**
                 * @description Until when.
                 * @enum {string}
                 */
                lifetime: "forever" | "reboot";
                /** @description Name. */
                name: string;
                /** @description Another node than the agent's own; resource agents of some databases set attributes of their peers. */
                node?: string;
                /** @description null removes it. */
                value: string | null;
            }[];
            /** @description As the join gave it. */
            incarnation: number;
            /** @description How many of its requests to write the agent has stopped waiting for, in its life as this process. What bears a lower number than what was written since is refused (`write-overtaken`). Absent: of a version that numbers nothing. */
            write?: number;
        };
        AgentDescriptionRequest: {
            /**
             * @description Standard.
             * @example ocf
             */
            class: string;
            /** @description Of its program: two nodes that tell the same one have the same meta-data. */
            digest: string;
            /** @description As the join gave it. */
            incarnation: number;
            /** @description What the agent says about itself. Absent: it could not be read. */
            metadata?: {
                /** @description What it does. */
                actions: {
                    /** @description Fence agents: whether `on` is run by itself when a node joins. */
                    automatic: boolean;
                    /** @description Level of a monitor. */
                    depth?: string;
                    /** @description How often it should be repeated, ms. */
                    intervalMs?: number;
                    /** @description Name. */
                    name: string;
                    /** @description Fence agents: whether it has to run on the target itself. */
                    onTarget: boolean;
                    /** @description The role in which it is meant. */
                    role?: string;
                    /** @description After what time it should begin, ms. */
                    startDelayMs?: number;
                    /** @description How long it should be given at least, ms. */
                    timeoutMs?: number;
                }[];
                /** @description Of the standard that it follows. */
                apiVersion?: string;
                /** @description At length. */
                longDescription?: string;
                /** @description As the agent calls itself. */
                name: string;
                /** @description What it takes. */
                parameters: {
                    /** @description What counts where it is not given. */
                    default?: string;
                    /** @description Whether it should not be used any more. */
                    deprecated: boolean;
                    /** @description At length. */
                    longDescription?: string;
                    /** @description Name. */
                    name: string;
                    /** @description The older parameter in whose place it came. */
                    obsoletes?: string;
                    /** @description The values to choose from, of the type `select`. */
                    options: string[];
                    /** @description Whether its value is a secret. Absent: not that the agent says. */
                    private?: boolean;
                    /** @description Whether it can be changed in a running resource. */
                    reloadable: boolean;
                    /** @description Whether it has to be given. */
                    required: boolean;
                    /** @description In a few words. */
                    shortDescription?: string;
                    /**
                     * @description As the agent declares it.
                     * @example string
                     */
                    type: string;
                    /** @description Two resources must not have the same values for all parameters of one such group. */
                    uniqueGroup?: string;
                }[];
                /** @description In a few words. */
                shortDescription?: string;
                /** @description Of the agent. */
                version?: string;
            };
            /** @description Why it could not be read. */
            problem?: string;
            /** @description Provider; of `ocf` only. */
            provider?: string;
            /** @description The agent's name. */
            type: string;
        };
        AgentDto: {
            /**
             * @description Standard.
             * @example ocf
             */
            class: string;
            /**
             * @description Its whole name, as paths have it.
             * @example ocf:heartbeat:IPaddr2
             */
            name: string;
            /**
             * @description Provider, of `ocf`.
             * @example heartbeat
             */
            provider?: string;
            /**
             * @description The agent's name.
             * @example IPaddr2
             */
            type: string;
            /** @description The one that most nodes have first. */
            versions: components["schemas"]["DescribedAgentVersionDto"][];
        };
        AgentEntryDto: {
            /**
             * @description Standard.
             * @example ocf
             */
            class: string;
            /**
             * @description Its whole name, as paths have it.
             * @example ocf:heartbeat:IPaddr2
             */
            name: string;
            /**
             * @description Provider, of `ocf`.
             * @example heartbeat
             */
            provider?: string;
            /** @description What it is, in a few words, as the version says that most nodes have. */
            shortDescription?: string;
            /**
             * @description The agent's name.
             * @example IPaddr2
             */
            type: string;
            /** @description The one that most nodes have first. */
            versions: components["schemas"]["AgentVersionDto"][];
        };
        AgentGuestTokenAnswer: {
            /** @description Of the token, which stands in the place of all that the node had. */
            secret: string;
        };
        AgentGuestTokenRequest: {
            /** @description Name of the node inside of the container. */
            guest: string;
            /** @description As the join gave it. */
            incarnation: number;
        };
        AgentIncarnationRequest: {
            /** @description As the join gave it. */
            incarnation: number;
        };
        AgentInstalledAgentsAnswer: {
            /** @description Some of those whose meta-data the server has not. Empty: it has all. What is described is to be followed by another look. */
            wanted: {
                /**
                 * @description Standard.
                 * @example ocf
                 */
                class: string;
                /** @description Of its program: two nodes that tell the same one have the same meta-data. */
                digest: string;
                /** @description Provider; of `ocf` only. */
                provider?: string;
                /** @description The agent's name. */
                type: string;
            }[];
        };
        AgentInstalledAgentsRequest: {
            /** @description All that there are. */
            agents: {
                /**
                 * @description Standard.
                 * @example ocf
                 */
                class: string;
                /** @description Of its program: two nodes that tell the same one have the same meta-data. */
                digest: string;
                /** @description Provider; of `ocf` only. */
                provider?: string;
                /** @description The agent's name. */
                type: string;
            }[];
            /** @description Standards of which `agents` names all that the node has: of others nothing is said. */
            classes: string[];
            /** @description As the join gave it. */
            incarnation: number;
        };
        AgentJoinAnswer: {
            /**
             * Format: uuid
             * @description Id.
             */
            clusterId: string;
            /** @description Name. */
            clusterName: string;
            /** @description Of the log; the cluster's id when left out. */
            epoch?: string;
            /**
             * @description What to do when the node was declared down and runs: stop everything and join anew, or restart the machine at once. Absent: stop.
             * @enum {string}
             */
            fenceReaction?: "stop" | "panic";
            /** @description The newest event that the server has stored; the agent keeps it as its witness. */
            head?: {
                /** @description Of the log; part of the action ids. A new one: everything that was handed out under another is forgotten. */
                epoch: string;
                /** @description Of the event with that version. */
                hash: string;
                /** @description The agent shows it with the head, unread: that this installation told it. */
                seal?: string;
                /** @description Version of the stream. */
                version: number;
            };
            /** @description Goes with everything that the agent sends from now on. */
            incarnation: number;
            /** @description Length of the lease, counted by the agent from the moment at which it sent the request. ms. */
            leaseMs: number;
            /** @description Beyond which load of its processors, percent, the agent tells of the trouble `high-load`, so that it is given fewer actions at a time. Absent: it does not look. */
            loadThreshold?: number;
            /** @description Name of the node. */
            node: string;
            /** @description Its id. */
            nodeId: string;
            /**
             * @description What to do when the lease can not be renewed in time: keep everything running, stop it, or let the watchdog reset the machine.
             * @enum {string}
             */
            onLeaseLoss?: "keep" | "stop" | "watchdog";
            /** @description Longest wait of a poll, ms. */
            pollMs: number;
            /** @description What the server speaks; 1.0 when left out. */
            protocol?: {
                /** @description Changes when older agents could not be understood any more. */
                major: number;
                /** @description Counts additions up. */
                minor: number;
            };
            /** @description Id of the newest roll call. The agent shows it with its next poll: so the servers know that it is there now, and that nothing of before was late. A poll that shows another one may be answered at once. */
            rollCall?: string;
            /** @description Base URLs under which servers of this cluster are reached. */
            servers?: string[];
            /** @description How long after it was told to end the agent waits for the cluster to stop or move what runs there; then it ends without that. ms; absent: for ever. */
            shutdownEscalationMs?: number;
        };
        AgentJoinRequest: {
            /** @description How many actions the agent carries out at a time: it is given no more, unless the operator says how many. */
            actionLimit?: number;
            /** @description History ids of what may be running there, as far as the agent knows. */
            active?: string[];
            /** @description The agent's version. */
            agentVersion: string;
            /** @description Which try of which process this is. One that comes a second time is answered with the incarnation that it began, whose lease it renews; one that is late is refused. */
            attempt?: {
                /** @description Counts the sessions up that this process has asked for; the same when it asks again because the answer was lost. */
                number: number;
                /** @description When the process of the agent began, ms since the boot of its machine. */
                processStartedMs: number;
            };
            /** @description Changes with each boot of the machine. */
            bootId: string;
            /** @description The newest that was given to this boot; absent: none is on record. */
            bootIncarnation?: number;
            /** @description The newest in whose life the agent ran anything; absent: none is on record. */
            lastIncarnation?: number;
            /**
             * @description What the agent does when its lease can not be renewed, by a setting of its own, whatever it is told. Absent: what it is told.
             * @enum {string}
             */
            localOnLeaseLoss?: "keep" | "stop" | "watchdog";
            /** @description Stays with the machine. */
            machineId?: string;
            /** @description The node that the agent means to be: refused unless the token is for it. */
            node?: string;
            /** @description Id of the node; the one in the configuration wins. */
            nodeId?: string;
            /** @description What the agent speaks; 1.0 when left out. */
            protocol?: {
                /** @description Changes when older agents could not be understood any more. */
                major: number;
                /** @description Counts additions up. */
                minor: number;
            };
            /** @description Whether the agent is meant for a remote or guest node: refused as long as the configuration does not make its node one. */
            remote?: boolean;
            /** @description Those of `active` that the agent has tried to stop in vain: nothing more can be done about them here. */
            stopFailed?: string[];
            /** @description History ids of what the agent takes for not managed: it leaves that alone when it stops everything. */
            unmanaged?: string[];
            /** @description For how long the machine has been up, ms. */
            uptimeMs?: number;
            /** @description Whether the agent feeds a watchdog. */
            watchdog?: boolean;
            /** @description Time-out of the watchdog that the agent arms as soon as it holds the lease, ms; absent: it has none, or does not know the time-out. */
            watchdogMs?: number;
            /** @description The newest head that the agent was told: a log that does not have it has lost its tail. */
            witness?: {
                /** @description Of the log, when it was told; names its answer's epoch. */
                epoch: string;
                /** @description Of the event with that version. */
                hash: string;
                /** @description As it was told with the head. */
                seal?: string;
                /** @description Version of the stream. */
                version: number;
            };
        };
        AgentLeaveRequest: {
            /** @description History ids of what the agent leaves running there, because it is not managed. */
            active?: string[];
            /** @description As the join gave it. */
            incarnation: number;
        };
        AgentListDto: {
            /** @description By name. */
            items: components["schemas"]["AgentEntryDto"][];
            /** @description The nodes that have told. Of others nothing is known; of standards that none of them names nothing is claimed. */
            tellings: components["schemas"]["NodeTellingDto"][];
        };
        AgentMetadataDto: {
            /** @description What it does. */
            actions: components["schemas"]["AgentOperationDto"][];
            /** @description Of the standard that it follows. */
            apiVersion?: string;
            /** @description At length. */
            longDescription?: string;
            /** @description As the agent calls itself. */
            name: string;
            /** @description What it takes. */
            parameters: components["schemas"]["AgentParameterDto"][];
            /** @description In a few words. */
            shortDescription?: string;
            /** @description Of the agent. */
            version?: string;
        };
        AgentOperationDto: {
            /** @description Fence agents: whether `on` is run by itself when a node joins. */
            automatic: boolean;
            /** @description Level of a monitor. */
            depth?: string;
            /** @description How often it should be repeated, ms. */
            intervalMs?: number;
            /**
             * @description Name.
             * @example monitor
             */
            name: string;
            /** @description Fence agents: whether it has to run on the target itself. */
            onTarget: boolean;
            /** @description The role in which it is meant. */
            role?: string;
            /** @description After what time it should begin, ms. */
            startDelayMs?: number;
            /** @description How long it should be given at least, ms. */
            timeoutMs?: number;
        };
        AgentParameterDto: {
            /** @description What counts where it is not given. */
            default?: string;
            /** @description Whether it should not be used any more. */
            deprecated: boolean;
            /** @description At length. */
            longDescription?: string;
            /**
             * @description Name.
             * @example ip
             */
            name: string;
            /** @description The older parameter in whose place it came: that may be given instead. */
            obsoletes?: string;
            /** @description The values to choose from, of the type `select`. */
            options: string[];
            /** @description Whether its value is a secret. */
            private?: boolean;
            /** @description Whether it can be changed in a running resource. */
            reloadable: boolean;
            /** @description Whether it has to be given. */
            required: boolean;
            /** @description In a few words. */
            shortDescription?: string;
            /**
             * @description As the agent declares it.
             * @example string
             */
            type: string;
            /** @description Two resources must not have the same values for all parameters of one such group. */
            uniqueGroup?: string;
        };
        AgentPollAnswer: {
            /** @description To begin, or to end, in this order. */
            actions: components["schemas"]["AgentAction"][];
            /**
             * @description What to do when the node was declared down and runs: stop everything and join anew, or restart the machine at once. Absent: stop.
             * @enum {string}
             */
            fenceReaction?: "stop" | "panic";
            /** @description The newest event that the server has stored; the agent keeps it as its witness. */
            head?: {
                /** @description Of the log; part of the action ids. A new one: everything that was handed out under another is forgotten. */
                epoch: string;
                /** @description Of the event with that version. */
                hash: string;
                /** @description The agent shows it with the head, unread: that this installation told it. */
                seal?: string;
                /** @description Version of the stream. */
                version: number;
            };
            /** @description Length of the lease, counted by the agent from the moment at which it sent the request. ms. */
            leaseMs: number;
            /** @description Beyond which load of its processors, percent, the agent tells of the trouble `high-load`, so that it is given fewer actions at a time. Absent: it does not look. */
            loadThreshold?: number;
            /**
             * @description What to do when the lease can not be renewed in time: keep everything running, stop it, or let the watchdog reset the machine.
             * @enum {string}
             */
            onLeaseLoss?: "keep" | "stop" | "watchdog";
            /** @description Id of the newest roll call. The agent shows it with its next poll: so the servers know that it is there now, and that nothing of before was late. A poll that shows another one may be answered at once. */
            rollCall?: string;
            /** @description The shutdown that the agent asked for is complete: it may leave. */
            shutdown?: boolean;
            /** @description How long after it was told to end the agent waits for the cluster to stop or move what runs there; then it ends without that. ms; absent: for ever. */
            shutdownEscalationMs?: number;
            /** @description History ids of what the agent must leave alone when it loses its lease (maintenance, not managed). Absent: nothing. */
            unmanaged?: string[];
        };
        AgentPollRequest: {
            /** @description History ids of what may be running there, as far as the agent knows. */
            active?: string[];
            /** @description As the join gave it. */
            incarnation: number;
            /** @description Ids of actions that were accepted and whose results are not acknowledged yet. */
            known: string[];
            /**
             * @description What the agent would do now if it lost its lease; an answer that is under way to it may change that.
             * @enum {string}
             */
            onLeaseLoss?: "keep" | "stop" | "watchdog";
            /** @description The newest head that results were acknowledged with, where it is newer than `witness`: a log that lacks it lacks what the agent does not send again. */
            recorded?: {
                /** @description Of the log, when it was told; names its answer's epoch. */
                epoch: string;
                /** @description Of the event with that version. */
                hash: string;
                /** @description As it was told with the head. */
                seal?: string;
                /** @description Version of the stream. */
                version: number;
            };
            /** @description The newest roll call that the agent was told of: it is there after that. Absent: none. */
            rollCall?: string;
            /** @description Counts the polls of this incarnation up. Whoever sends it has one poll at a time and drops the answers of those that it gave up: what an earlier one was answered with and `known` does not name was never begun. */
            seq?: number;
            /** @description What the clock of the node shows as the poll is sent, epoch ms: the server says where it is wrong, and decides nothing by it. */
            timeOfDayMs?: number;
            /** @description What keeps the agent from doing its work; absent: nothing. */
            troubles?: {
                /** @description What kind; those of this version: journal-unwritable, journal-hanging, result-refused, lease-loss-overridden, stop-failed, high-load. */
                code: string;
                /** @description For people. */
                detail: string;
            }[];
            /** @description History ids of what the agent takes for not managed: it leaves that alone when it stops everything. */
            unmanaged?: string[];
            /** @description How long to wait for something to do, ms; the server may answer earlier. */
            waitMs: number;
            /** @description Whether the agent feeds a watchdog. */
            watchdog?: boolean;
            /** @description The watchdog is armed, and resets the machine after so many ms without being fed; absent: it is not, or nobody knows after how many. */
            watchdogArmedMs?: number;
            /** @description The newest head that the agent was told: a log that does not have it has lost its tail. */
            witness?: {
                /** @description Of the log, when it was told; names its answer's epoch. */
                epoch: string;
                /** @description Of the event with that version. */
                hash: string;
                /** @description As it was told with the head. */
                seal?: string;
                /** @description Version of the stream. */
                version: number;
            };
        };
        AgentPrivateAttributesRequest: {
            /** @description All that are private on the node, in the place of what it told before. */
            attributes: {
                /** @description Name. */
                name: string;
                /** @description Value. */
                value: string;
            }[];
            /** @description As the join gave it. */
            incarnation: number;
            /** @description Counts the changes up since the process of the agent began: of what one incarnation tells, that of the highest number counts, whichever arrives last. Absent: an agent before 1.13, of which the last that arrives does. */
            revision?: number;
        };
        AgentResult: {
            /** @description `<epoch>:<transition>:<graph action id>`; executed at most once, however often it is delivered. */
            actionId: string;
            /** @description Counts up per process of the agent. */
            callId: number;
            /** @description As the action had them, with what was missing of one whose agent nobody had described. */
            digests?: {
                /** @description Of all parameters. */
                opDigest: string;
                /** @description Names of parameters whose change asks for a restart. */
                opForceRestart?: string;
                /** @description Of those parameters. */
                opRestartDigest?: string;
                /** @description Of all but those parameters. */
                opSecureDigest?: string;
                /** @description Names of parameters that are secret. */
                opSecureParams?: string;
            };
            /** @description For how long it had ended when this was sent, ms, by what passed on the machine, whatever its clock shows. The server dates the result by it. Absent: that is not known, as the machine was booted since. */
            endedAgoMs?: number;
            /** @description Duration, ms. */
            execMs: number;
            /** @description The agent program's reason. */
            exitReason?: string;
            /** @description Of fencing: as the action had it, without the parameters. */
            fence?: {
                /**
                 * @description What the device is told.
                 * @enum {string}
                 */
                action: "off" | "reboot" | "on";
                /** @description Resource id of the device. */
                deviceId: string;
                /** @description Id of the attempt. */
                fencingId: string;
                /** @description Node that is to be fenced. */
                target: string;
            };
            /** @description 0 for what runs once. */
            intervalMs: number;
            /** @description Of a migration. */
            migrateSource?: string;
            /** @description Of a migration. */
            migrateTarget?: string;
            /** @description For `cancel`: the operation whose recurrence ends. */
            operation: string;
            /** @description Last lines of its output. */
            output?: string;
            /** @description How long it waited for its turn, ms. */
            queueMs: number;
            /** @description Return code. */
            rc: number;
            /** @description A later run of a recurring operation, as opposed to its first. */
            recurring: boolean;
            /** @description As the action had it. */
            resource: {
                /**
                 * @description Standard.
                 * @example ocf
                 */
                class: string;
                /** @description Id of the `lrm_resource`; the same for all instances of an anonymous clone. */
                historyId: string;
                /** @description Instance name (OCF_RESOURCE_INSTANCE). */
                id: string;
                /** @description Provider. */
                provider?: string;
                /** @description Agent's name. */
                type: string;
            };
            /** @description Unique for ever; sent again until it is acknowledged. */
            resultId: string;
            /** @description Epoch seconds, by the clock of the node: whatever that may show, right or wrong, from 1970 to 2262. */
            startedAt: number;
            /**
             * @description How the execution ended.
             * @enum {string}
             */
            status: "done" | "cancelled" | "timeout" | "not-supported" | "error" | "error-hard" | "error-fatal" | "not-installed" | "not-connected" | "lost";
            /** @description `<graph action id>:<transition>:<expected rc>:<epoch>`. */
            transitionKey: string;
        };
        AgentResultsAnswer: {
            /** @description Ids of the results that are not to be sent again: each is stored for good, but for those in `dropped`. */
            acknowledged: string[];
            /** @description Those of the acknowledged that are not stored; the event ResultsDropped counts them. Absent: none. */
            dropped?: {
                /** @description Why; those of this version: not-asked-for, too-many-operations. */
                reason: string;
                /** @description Id of the result. */
                resultId: string;
            }[];
            /** @description A place in the event log by which all of them are stored. It tells of no answer to a poll, so the agent shows it apart from its witness (`recorded`). */
            head?: {
                /** @description Of the log; part of the action ids. A new one: everything that was handed out under another is forgotten. */
                epoch: string;
                /** @description Of the event with that version. */
                hash: string;
                /** @description The agent shows it with the head, unread: that this installation told it. */
                seal?: string;
                /** @description Version of the stream. */
                version: number;
            };
        };
        AgentResultsRequest: {
            /** @description As the join gave it. */
            incarnation: number;
            /** @description What ended. */
            results: components["schemas"]["AgentResult"][];
        };
        AgentToolAnswer: {
            /** @description False: all is as wished already. */
            changed: boolean;
        };
        AgentToolRequest: {
            /** @description Id of the resource whose agent called the tool, as far as the tool knows. */
            calledBy?: string;
            /** @description As the join gave it. */
            incarnation: number;
            /** @description Why, in the words of whoever asks. */
            reason?: string;
            /** @description What is to be written. */
            request: components["schemas"]["ToolRequest"];
            /** @description Name of the program that asks, as people know it. */
            tool: string;
            /** @description How many of its requests to write the agent has stopped waiting for, in its life as this process. What bears a lower number than what was written since is refused (`write-overtaken`). Absent: of a version that numbers nothing. */
            write?: number;
        };
        AgentVersionDto: {
            /** @description Of its program: nodes with the same one have the same agent. */
            digest: string;
            /** @description The nodes that have it so, by name. */
            nodes: string[];
            /** @description Why its meta-data could not be read. */
            problem?: string;
        };
        /** @description <alert> */
        AlertElement: {
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id?: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description Attribute path. */
            path: string;
            /** @description <recipient>, in order. */
            recipient?: components["schemas"]["RecipientElement"][];
            /** @description <select>, in order. */
            select?: components["schemas"]["SelectElement"][];
        };
        /** @description The program of an alert did not end well on a node for the first time since it did, or since the alert was configured. Further runs that end badly say nothing new: the list of runs has them. */
        AlertFailedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Id of the alert. */
                alert: string;
                /** @description What it printed last, or why it was not begun; cut short. */
                detail?: string;
                /** @description Name of the node that ran it. */
                node: string;
                /**
                 * @description `failed`: it exited with something else than 0, or by a signal; `timeout`: it was killed as its time was up; `not-run`: it was not begun, or nobody knows.
                 * @enum {string}
                 */
                outcome: "failed" | "timeout" | "not-run";
                /** @description The program. */
                path: string;
                /** @description Its exit code, where it exited. */
                rc?: number;
                /** @description Id of the recipient; absent where the alert has none. */
                recipient?: string;
                /** @description Number of the run; later ones have greater ones. */
                run: number;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "AlertFailed";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description Whose runs on a node are told one after the other. */
        AlertLane: {
            /** @description Id of the alert. */
            alert: string;
            /** @description Name of the node that ran it. */
            node: string;
            /** @description Id of the recipient; absent where the alert has none. */
            recipient?: string;
            /** @description Number of the run; later ones have greater ones. */
            run: number;
        };
        /** @description The program of an alert that had failed on a node ended well there. */
        AlertRecoveredEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: components["schemas"]["AlertLane"];
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "AlertRecovered";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        AlertRunDto: {
            /** @description Id of the alert. */
            alert: string;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            at: string;
            /** @description What it printed last, or why it was not begun. */
            detail?: string;
            /**
             * Format: date-time
             * @description When its end was told.
             */
            endedAt?: string;
            /** @description How long it took, ms. */
            execMs?: number;
            /**
             * Format: date-time
             * @description When it was given to the node last.
             */
            givenAt?: string;
            /** @description Later ones have greater ids. Its program finds it as CRM_alert_node_sequence. */
            id: number;
            /**
             * @description What it tells of.
             * @enum {string}
             */
            kind: "node" | "fencing" | "resource" | "attribute";
            /** @description The node that runs it. */
            node: string;
            /**
             * @description `waiting`: its node has not taken it; `given`: it has; `done`: it exited with 0; `failed`: with something else, or by a signal; `timeout`: it was killed as its time was up; `not-run`: it was not begun, or nobody knows (`detail` says why).
             * @enum {string}
             */
            outcome: "waiting" | "given" | "done" | "failed" | "timeout" | "not-run";
            /** @description The program. */
            path: string;
            /** @description Exit code. */
            rc?: number;
            /** @description Id of the recipient; absent where the alert has none. */
            recipient?: string;
            /** @description Whether somebody asked for it, and nothing has happened. */
            test: boolean;
            /** @description How often it was given: more than once when an answer was lost, or the node agent ended meanwhile. */
            tries: number;
            /** @description Version of the event that it tells of; of a test that of the cluster. */
            version: number;
        };
        AlertRunListDto: {
            /** @description Runs that were left out ever: too many waited for their node, or their news was too old. */
            dropped: number;
            /**
             * Format: date-time
             * @description When that was last; absent: never.
             */
            droppedAt?: string;
            /** @description Runs of the last day that did not end well. */
            failed: number;
            /** @description Newest first. */
            items: components["schemas"]["AlertRunDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        AlertTestDto: {
            /** @description Whether it was only tried. */
            dryRun: boolean;
            /** @description How they stand now: see the list of runs for what comes of them. */
            runs: components["schemas"]["AlertRunDto"][];
        };
        /** @description Changes of a transient attribute wait for others of it from now on, on all nodes. */
        AttributeDelaySetEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description How long, ms; 0: no more, and what is held is written at once. */
                delayMs: number;
                /** @description Name of the attribute. */
                name: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "AttributeDelaySet";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        AttributeDto: {
            /** @description What it takes, in words. */
            accepts: string;
            /** @description With `select`: the values that there are. */
            allowed?: string[];
            /** @description What counts where it is not given; absent: nothing, or what others say decides. */
            default?: string;
            /** @description What it does otherwise than in Pacemaker; absent: the same, or it is refused. */
            differs?: string;
            /**
             * @description What kind of text it takes.
             * @enum {string}
             */
            kind: "boolean" | "duration" | "duration-or-auto" | "duration-by-node" | "integer" | "count" | "share" | "percentage" | "agent-writes" | "select" | "text" | "amount-of-time" | "date" | "score";
            /** @description What it does. */
            meaning: string;
            /** @description As it is written in a configuration. */
            name: string;
            /** @description Older names: they count where the newer one is not given. */
            olderNames: string[];
            /** @description What it is read on; absent: all that it may be given to. */
            readOn?: string[];
            /** @description Why a write that brings it in is refused, unless it is forced or asks for no more than what happens anyway; absent: it is not. */
            refused?: string;
            /** @description What counts while its text can not be read; absent: its text is not checked. */
            unreadable?: string;
        };
        /** @description <attribute> */
        AttributeElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute name. */
            name: string;
        };
        /**
         * @description `forever` lives in the node's configuration, `reboot` in its transient attributes.
         * @enum {string}
         */
        AttributeLifetime: "forever" | "reboot";
        AttributeListDto: {
            /** @description Every attribute that is known. */
            items: components["schemas"]["AttributeDto"][];
        };
        AuditEntryDto: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /** @description Name of the cluster whose event it is, also of one that was deleted. */
            clusterName?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars, as its type has them. */
            data: {
                [key: string]: unknown;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /**
             * @description Where it stands: `server/audit`, `server/evidence` (statements that were signed), or a cluster's id.
             * @example server/audit
             */
            streamId: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. Later versions have more: whoever does not know one passes it over.
             * @enum {string}
             */
            type: "ServerStarted" | "ServerStopped" | "ClusterAdded" | "ClusterRemoved" | "TokenIssued" | "TokenWithdrawn" | "WebhookCreated" | "WebhookChanged" | "WebhookDeleted" | "WebhookDisabled" | "KeptRowsPurged" | "RequestCarriedOut" | "RequestRefused" | "ConfigurationRead" | "SecretsRead" | "EntriesLeftOut" | "HeadsSigned" | "ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        AuditListDto: {
            /** @description The entries of this page, in the order that was asked for. */
            items: components["schemas"]["AuditEntryDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        AwaitedAgentDto: {
            /** @description The oldest of them, as in histories: `db_start_0`; fencing as `reboot n2`. */
            actions: string[];
            /** @description Actions that it has not answered. */
            count: number;
            /** @description Since the oldest of them was handed out, seconds. */
            forSeconds: number;
            /** @description Its node. */
            node: string;
            /** @description All of that for people, e.g. `n2 (db_start_0 and 3 more, 45 s)`. */
            text: string;
            /** @description Those of them that no poll of the agent was answered with yet. */
            undelivered: number;
        };
        BanBody: {
            /**
             * @description Ends by itself after this time, an ISO 8601 duration; when left out it stays until it is cleared.
             * @example PT2H
             */
            lifetime?: string;
            /** @description Where it is not to run; where it runs now, if that is one place, when left out. */
            node?: string;
            /** @description Its promoted role only. */
            promoted?: boolean;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        /** @description <bundle> */
        BundleElement: {
            /** @description Attribute description. */
            description?: string;
            /** @description <docker>, in order. */
            docker?: components["schemas"]["DockerElement"][];
            /** @description Attribute id. */
            id: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description <network>, in order. */
            network?: components["schemas"]["NetworkElement"][];
            /** @description <podman>, in order. */
            podman?: components["schemas"]["PodmanElement"][];
            /** @description <primitive>, in order. */
            primitive?: components["schemas"]["PrimitiveElement"][];
            /** @description <storage>, in order. */
            storage?: components["schemas"]["StorageElement"][];
        };
        CancelDeletionBody: {
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        CandidateDto: {
            /** @description Name of the node. */
            node: string;
            /** @description In order; their amounts, added up by Pacemaker's arithmetic of scores, are the score. */
            parts?: components["schemas"]["ScorePartDto"][];
            /** @description ±1,000,000 is ±INFINITY. */
            score: number;
            /**
             * @description Why the node can run nothing now; absent for a usable one.
             * @example standby
             */
            unusable?: string;
        };
        ChangeWebhookBody: {
            /** @description Only what this one did, e.g. `user:alice`; empty: anybody. */
            actor?: string;
            /** @description Global position of the event after which it begins, wherever it was: to pass over what can't be delivered, or to have something again. */
            after?: number;
            /** @description Whether entries of the server's own audit are sent, too. */
            audit?: boolean;
            /** @description PEM of the authorities by which the receiver of an https:// URL is verified, instead of those that are usually trusted; empty: those. */
            authorities?: string;
            /** @description Ids or names of the clusters whose events are sent; empty: of all that there are and will be. */
            clusters?: string[];
            /** @description Whether it is delivered to. One that is enabled again goes on where it was: what happened meanwhile is sent. */
            enabled?: boolean;
            /**
             * @description What it is called: unique.
             * @example on-call
             */
            name?: string;
            /** @description Why; kept in the audit. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /**
             * @description `wrong`: only what tells of something wrong: failed operations, lost nodes, fencing that failed, lost quorum, refused requests.
             * @enum {string}
             */
            severity?: "any" | "wrong";
            /** @description What events have to concern, all of them, as `subject` of the list of events takes it (`resource:db`, `node:n1`, or a bare name), without what a resource stands in; empty: anything. */
            subjects?: string[];
            /** @description Types of events; empty: all. */
            types?: ("ServerStarted" | "ServerStopped" | "ClusterAdded" | "ClusterRemoved" | "TokenIssued" | "TokenWithdrawn" | "WebhookCreated" | "WebhookChanged" | "WebhookDeleted" | "WebhookDisabled" | "KeptRowsPurged" | "RequestCarriedOut" | "RequestRefused" | "ConfigurationRead" | "SecretsRead" | "EntriesLeftOut" | "ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
            /**
             * @description Where messages are posted to: https:// or http://, without a user or password. Redirects are not followed.
             * @example https://hooks.example/systole
             */
            url?: string;
        };
        CibElementDto: {
            /** @description Its attributes by name, in the order of the document. */
            attributes: {
                [key: string]: string;
            };
            /** @description Left out when there are none. */
            children?: (components["schemas"]["CibElementDto"] | {
                /** @description Text of a comment. */
                comment: string;
            })[];
            /**
             * @description The element's name.
             * @example cib
             */
            element: string;
        };
        CleanUpBody: {
            /** @description Of that operation, at this interval only, ms. */
            intervalMs?: number;
            /** @description On this node only; on every node when left out. */
            node?: string;
            /**
             * @description What failed in this operation only; its other failures stay.
             * @example monitor
             */
            operation?: string;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        ClearBody: {
            /** @description What has ended by its lifetime only. */
            expired?: boolean;
            /** @description What names this node only. */
            node?: string;
            /** @description What is of the promoted role only; of a promotable clone. */
            promoted?: boolean;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        /** @description <clone> */
        CloneElement: {
            /** @description Attribute description. */
            description?: string;
            /** @description <group>, in order. */
            group?: components["schemas"]["GroupElement"][];
            /** @description Attribute id. */
            id: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description <primitive>, in order. */
            primitive?: components["schemas"]["PrimitiveElement"][];
        };
        /** @description An event of the type ClusterCreated. */
        ClusterCreatedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description The CIB that it was made with, as XML; empty: none. */
                cib: string;
                /** @description Absent when nothing had to be forced. */
                forced?: components["schemas"]["Forced"];
                /** @description The name that it was given. */
                name: string;
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ClusterCreated";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description An event of the type ClusterDeleted. */
        ClusterDeletedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ClusterDeleted";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        ClusterDto: {
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description In the answer to its making: what of its configuration does not do what it seems to say, and what is accepted and not done; absent when there is nothing to say. */
            findings?: components["schemas"]["FindingsDto"];
            /**
             * Format: uuid
             * @description Stays the same for ever; a name can be given again after its cluster was deleted.
             */
            id: string;
            /**
             * @description Its name, unique among the clusters there are.
             * @example production
             */
            name: string;
            /** @description In the answer to its making: what was changed to bring its document to the current schema; absent when nothing was. */
            upgrade?: components["schemas"]["UpgradeDto"];
            /** @description Version of its event stream; the ETag. */
            version: number;
        };
        ClusterExplanationDto: {
            /** @description Why actions are planned, or needed and not possible; those that were asked for. */
            actions: components["schemas"]["ActionExplanationDto"][];
            /**
             * Format: uuid
             * @description Id of the cluster that is explained.
             */
            clusterId: string;
            /** @description So many more were left out to keep the answer short: name resources or a node. */
            moreActions?: number;
            /** @description Effective time, epoch seconds. */
            now: number;
            /** @description Where each primitive goes, and why; those that were asked for. */
            placements: components["schemas"]["PlacementDto"][];
            /** @description Version of the cluster that it is computed from. */
            version: number;
        };
        ClusterListDto: {
            /** @description The list lacks clusters that the event log has: how many, and what to do. For people. */
            incomplete?: string;
            /** @description The clusters of this page, by name. */
            items: components["schemas"]["ClusterDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        ClusterOptionDto: {
            /** @description What it takes, in words. */
            accepts: string;
            /** @description With `select`: the values that there are. */
            allowed?: string[];
            /** @description What counts where it is not given; absent: nothing, or what others say decides. */
            default?: string;
            /** @description What it does otherwise than in Pacemaker; absent: the same, or it is refused. */
            differs?: string;
            /**
             * @description What kind of text it takes.
             * @enum {string}
             */
            kind: "boolean" | "duration" | "duration-or-auto" | "duration-by-node" | "integer" | "count" | "share" | "percentage" | "agent-writes" | "select" | "text" | "amount-of-time" | "date" | "score";
            /** @description What it does. */
            meaning: string;
            /** @description As it is written in a configuration. */
            name: string;
            /** @description Older names: they count where the newer one is not given. */
            olderNames: string[];
            /** @description Whether Systole alone knows it: Pacemaker takes no notice of it. */
            own: boolean;
            /** @description Why a write that brings it in is refused, unless it is forced or asks for no more than what happens anyway; absent: it is not. */
            refused?: string;
            /** @description Whether it can change a plan. */
            scheduling: boolean;
        };
        ClusterOptionListDto: {
            /** @description Every cluster option that is known. */
            items: components["schemas"]["ClusterOptionDto"][];
        };
        /** @description <cluster_property_set> */
        ClusterPropertySetElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /** @description <nvpair>, in order. */
            nvpair?: components["schemas"]["NvpairElement"][];
            /** @description <rule>, in order. */
            rule?: components["schemas"]["RuleElement"][];
            /** @description Attribute score. */
            score?: string;
        };
        /** @description A person called the deletion off. */
        ClusterStopCancelledEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ClusterStopCancelled";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description Everything is to be stopped; when it is, the cluster is deleted. */
        ClusterStoppingEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description A person's. */
                reason?: string;
                /** @description What becomes of the option `stop-all-resources` when this is called off; absent: it was in force before, and stays. */
                restore?: {
                    /** @description The value that it had; absent: it was not configured. */
                    value?: string;
                };
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ClusterStopping";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description A whole configuration, by collection; what is empty is left out. */
        Configuration: {
            /** @description In order. */
            "acl-groups"?: components["schemas"]["NamedAclGroupElement"][];
            /** @description In order. */
            "acl-roles"?: components["schemas"]["NamedAclRoleElement"][];
            /** @description In order. */
            "acl-targets"?: components["schemas"]["NamedAclTargetElement"][];
            /** @description In order. */
            alerts?: components["schemas"]["NamedAlertElement"][];
            /** @description In order. */
            constraints?: (components["schemas"]["NamedRscLocationElement"] | components["schemas"]["NamedRscColocationElement"] | components["schemas"]["NamedRscOrderElement"] | components["schemas"]["NamedRscTicketElement"])[];
            /** @description In order. */
            "fencing-levels"?: components["schemas"]["NamedFencingLevelElement"][];
            /** @description In order. */
            nodes?: components["schemas"]["NamedNodeElement"][];
            /** @description The sets of op-defaults. */
            "op-defaults"?: components["schemas"]["OpDefaultsElement"];
            /** @description The sets of properties. */
            properties?: components["schemas"]["CrmConfigElement"];
            /** @description In order. Members stand in what they are members of. */
            resources?: (components["schemas"]["NamedPrimitiveElement"] | components["schemas"]["NamedGroupElement"] | components["schemas"]["NamedCloneElement"] | components["schemas"]["NamedBundleElement"] | components["schemas"]["NamedTemplateElement"])[];
            /** @description The sets of rsc-defaults. */
            "rsc-defaults"?: components["schemas"]["RscDefaultsElement"];
            /** @description In order. */
            tags?: components["schemas"]["NamedTagElement"][];
        };
        /** @description An event of the type ConfigurationChanged. */
        ConfigurationChangedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description What it was asked for with, by name. */
                arguments: {
                    [key: string]: unknown;
                };
                /** @description What it changed, element by element, in the order in which it is applied. */
                changes: components["schemas"]["ElementChange"][];
                /** @description What was asked for, e.g. `replace-configuration`. */
                command: string;
                /** @description The version of the document that it is, where that is higher than the one before: what follows counts on from it. */
                countedFrom?: components["schemas"]["DocumentVersion"];
                /** @description Absent when nothing had to be forced. */
                forced?: components["schemas"]["Forced"];
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ConfigurationChanged";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        ConfigurationDiffDto: {
            /** @description What makes the second configuration of the first; whatever came and went between them is not in it. */
            changes: components["schemas"]["ElementChangeDto"][];
            /** @description The version that was compared. */
            from: number;
            /** @description The version with which it was compared. */
            to: number;
        };
        /** @description A change of one element. */
        ConfigurationEdit: {
            /** @description Id of the sibling that it goes after. */
            after?: string;
            /** @description Id of the sibling that it goes before. */
            before?: string;
            /**
             * @description Where the element stands.
             * @enum {string}
             */
            collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
            /**
             * @description What is done.
             * @enum {string}
             */
            edit: "create";
            /** @description The element; ids that are left out are made. */
            element?: Omit<components["schemas"]["ConfigurationElement"], "element">;
            /** @description The element as XML, instead of `element`. */
            xml?: string;
        } | {
            /**
             * @description Where the element stands.
             * @enum {string}
             */
            collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups" | "properties" | "rsc-defaults" | "op-defaults" | "configuration";
            /**
             * @description What is done.
             * @enum {string}
             */
            edit: "replace";
            /** @description What it becomes. */
            element?: {
                [key: string]: unknown;
            };
            /** @description Id of the element; of a node also its name. */
            id?: string;
            /** @description The element as XML, instead of `element`. */
            xml?: string;
        } | {
            /**
             * @description Where the element stands.
             * @enum {string}
             */
            collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups" | "properties" | "rsc-defaults" | "op-defaults" | "configuration";
            /**
             * @description What is done.
             * @enum {string}
             */
            edit: "patch";
            /** @description Id of the element; of a node also its name. */
            id?: string;
            /** @description Of the element as it is read: a merge patch (RFC 7396), or a JSON Patch (RFC 6902), which is a list. */
            patch: {
                [key: string]: unknown;
            } | components["schemas"]["JsonPatch"];
        } | {
            /** @description Take along what refers to it, instead of being refused for that. */
            cascade?: boolean;
            /**
             * @description Where the element stands.
             * @enum {string}
             */
            collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
            /**
             * @description What is done.
             * @enum {string}
             */
            edit: "delete";
            /** @description Id of the element; of a node also its name. */
            id: string;
        } | {
            /** @description Id of the sibling that it goes after. */
            after?: string;
            /** @description Id of the sibling that it goes before. */
            before?: string;
            /**
             * @description Where the element stands.
             * @enum {string}
             */
            collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
            /**
             * @description What is done.
             * @enum {string}
             */
            edit: "move";
            /** @description Id of the element; of a node also its name. */
            id: string;
            /** @description Id of the group, clone or bundle that it becomes a member of. */
            parent?: string;
        };
        /** @description An element of the configuration. */
        ConfigurationElement: components["schemas"]["NamedPrimitiveElement"] | components["schemas"]["NamedGroupElement"] | components["schemas"]["NamedCloneElement"] | components["schemas"]["NamedBundleElement"] | components["schemas"]["NamedTemplateElement"] | components["schemas"]["NamedRscLocationElement"] | components["schemas"]["NamedRscColocationElement"] | components["schemas"]["NamedRscOrderElement"] | components["schemas"]["NamedRscTicketElement"] | components["schemas"]["NamedNodeElement"] | components["schemas"]["NamedTagElement"] | components["schemas"]["NamedFencingLevelElement"] | components["schemas"]["NamedAlertElement"] | components["schemas"]["NamedAclRoleElement"] | components["schemas"]["NamedAclTargetElement"] | components["schemas"]["NamedAclGroupElement"];
        ConfirmDownBody: {
            /** @description How it is known; kept with the event. */
            reason?: string;
        };
        CreateClusterBody: {
            /** @description A CIB as XML, also of an older schema, or of the Heartbeat 2 generation; its status section is dropped. An empty one when left out. */
            cib?: string;
            /**
             * @description Name: letters, digits, `.`, `_`, `-`; begins with a letter or digit. Free again after the cluster is deleted.
             * @example production
             */
            name: string;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        CreatedTokenDto: {
            /**
             * Format: uuid
             * @description With the role `agent`: id of its cluster; absent otherwise.
             */
            clusterId?: string;
            /** @description Ids of the clusters that it is for; absent: all, and the server itself. */
            clusters?: string[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description Who made it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it ends by itself; absent: never.
             */
            expiresAt?: string;
            /**
             * Format: uuid
             * @description Its id, by which it is revoked; no secret.
             */
            id: string;
            /** @description Who or what it is for. */
            name: string;
            /** @description With the role `agent`: name of its node; absent otherwise. */
            node?: string;
            /**
             * @description What it may do.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin" | "agent";
            /** @description The token itself; shown this once. Absent from the answer to a repeated request. */
            secret?: string;
            /** @description Whether it may be shown secrets in configurations; absent for agents. */
            seesSecrets?: boolean;
        };
        CreateTokenBody: {
            /** @description With the role `agent`: id or name of its cluster. */
            cluster?: string;
            /** @description Ids or names of the clusters that it is for; for all, and for the server itself, when left out. Not with the role `agent`. */
            clusters?: string[];
            /**
             * Format: date-time
             * @description When it ends by itself; never when left out. Not with the role `agent`.
             */
            expiresAt?: string;
            /**
             * @description Who or what it is for; events name it. Of people and programs no two valid tokens have one name; agents are named by their node.
             * @example alice
             */
            name: string;
            /** @description With the role `agent`: name of its node. */
            node?: string;
            /** @description Why; kept in the audit. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /**
             * @description What it may do; each of the first three includes those before it. `agent` is for one node.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin" | "agent";
            /** @description Whether it may be shown secrets in configurations; false when left out. Whoever may not gives no such token. Not with the role `agent`. */
            seesSecrets?: boolean;
        };
        CreateWebhookBody: {
            /** @description Only what this one did, e.g. `user:alice`; empty: anybody. */
            actor?: string;
            /** @description Global position of the event after which it begins; 0: from the first. From now on when left out. */
            after?: number;
            /** @description Whether entries of the server's own audit are sent, too. */
            audit?: boolean;
            /** @description PEM of the authorities by which the receiver of an https:// URL is verified, instead of those that are usually trusted; empty: those. */
            authorities?: string;
            /** @description Ids or names of the clusters whose events are sent; empty: of all that there are and will be. */
            clusters?: string[];
            /** @description Whether it is delivered to; true when left out. */
            enabled?: boolean;
            /**
             * @description What it is called: unique.
             * @example on-call
             */
            name: string;
            /** @description Why; kept in the audit. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /**
             * @description `wrong`: only what tells of something wrong: failed operations, lost nodes, fencing that failed, lost quorum, refused requests.
             * @enum {string}
             */
            severity?: "any" | "wrong";
            /** @description What events have to concern, all of them, as `subject` of the list of events takes it (`resource:db`, `node:n1`, or a bare name), without what a resource stands in; empty: anything. */
            subjects?: string[];
            /** @description Types of events; empty: all. */
            types?: ("ServerStarted" | "ServerStopped" | "ClusterAdded" | "ClusterRemoved" | "TokenIssued" | "TokenWithdrawn" | "WebhookCreated" | "WebhookChanged" | "WebhookDeleted" | "WebhookDisabled" | "KeptRowsPurged" | "RequestCarriedOut" | "RequestRefused" | "ConfigurationRead" | "SecretsRead" | "EntriesLeftOut" | "ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
            /**
             * @description Where messages are posted to: https:// or http://, without a user or password. Redirects are not followed.
             * @example https://hooks.example/systole
             */
            url: string;
        };
        /** @description <crm_config> */
        CrmConfigElement: {
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            cluster_property_set?: {
                [key: string]: string;
            } | components["schemas"]["ClusterPropertySetElement"][];
        };
        /** @description <date_expression> */
        DateExpressionElement: {
            /** @description <date_spec>, in order. */
            date_spec?: components["schemas"]["DateSpecElement"][];
            /** @description <duration>, in order. */
            duration?: components["schemas"]["DurationElement"][];
            /** @description Attribute end. */
            end?: string;
            /** @description Attribute id. */
            id?: string;
            /**
             * @description Attribute operation.
             * @enum {string}
             */
            operation: "in_range" | "gt" | "lt" | "date_spec";
            /** @description Attribute start. */
            start?: string;
        };
        /** @description <date_spec> */
        DateSpecElement: {
            /** @description Attribute hours. */
            hours?: string;
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute minutes. */
            minutes?: string;
            /** @description Attribute monthdays. */
            monthdays?: string;
            /** @description Attribute months. */
            months?: string;
            /** @description Attribute seconds. */
            seconds?: string;
            /** @description Attribute weekdays. */
            weekdays?: string;
            /** @description Attribute weeks. */
            weeks?: string;
            /** @description Attribute weekyears. */
            weekyears?: string;
            /** @description Attribute yeardays. */
            yeardays?: string;
            /** @description Attribute years. */
            years?: string;
            /** @description Attribute yearsdays. */
            yearsdays?: string;
        };
        DebugBody: {
            /** @description The node whose agent does it. */
            node: string;
            /**
             * @description What the resource agent is called with.
             * @enum {string}
             */
            operation: "monitor" | "validate-all" | "start" | "stop" | "promote" | "demote";
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /** @description After which the agent ends it, ms; as configured when left out. */
            timeoutMs?: number;
        };
        /** @enum {string} */
        DebugOperation: "monitor" | "validate-all" | "start" | "stop" | "promote" | "demote";
        /** @description What came of it. Where it may have changed anything the history of the resource there is deleted with it, so that it is probed. */
        DebugOperationEndedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Of the request. */
                debugId: string;
                /** @description How long its execution took, ms. */
                execMs?: number;
                /** @description What the agent said of why it failed. */
                exitReason?: string;
                /** @description Of the node, as it was asked. */
                incarnation: number;
                /**
                 * @description Nobody waited for it any more: the life of the node in which it was asked for is over.
                 * @constant
                 */
                late?: true;
                /** @description On which it was to be carried out. */
                node: string;
                /** @description As it was asked for. */
                operation: string;
                /** @description The last lines of output, bounded; for people. */
                output?: string;
                /** @description How long it waited on the node before, ms. */
                queueMs?: number;
                /** @description Return code, as OCF numbers them; absent: it was never begun, or did not end. */
                rc?: number;
                /** @description Id of the primitive, or of the fence device. */
                resource: string;
                /** @description The agent's id for this result. */
                resultId?: string;
                /** @description How the execution ended; absent: it was never begun, and will not be. */
                status?: components["schemas"]["OperationStatus"];
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "DebugOperationEnded";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description A person wants one operation of a resource to be carried out on a node, to see what its agent says; or a node switched on. */
        DebugOperationRequestedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Unique id of this request. */
                debugId: string;
                /** @description Of the node: no other life of it is asked. */
                incarnation: number;
                /** @description On which it is carried out. */
                node: string;
                /** @description `on`: a node is switched on by a fence device. */
                operation: components["schemas"]["DebugOperation"] | "on";
                /** @description A person's. */
                reason?: string;
                /** @description Id of the primitive, which is its history id; with `on` of the fence device. */
                resource: string;
                /** @description With `on`: which node. */
                target?: string;
                /** @description After which the agent ends it. */
                timeoutMs: number;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "DebugOperationRequested";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        DegradedDto: {
            /**
             * Format: date-time
             * @description Since when; absent where that is not known.
             */
            at?: string;
            /** @description The agent's own words. */
            exitReason?: string;
            /** @description Interval of the recurring operation, ms; 0 for one that does not recur. */
            intervalMs: number;
            /** @description Name of the node on which it runs. */
            node: string;
            /** @description The operation that found that, e.g. `monitor`. */
            operation: string;
            /** @description Return code (OCF): 190 of what is active, 191 of what is promoted. */
            rc: number;
            /** @description Id of the primitive; of an instance of a clone, with its number where it has one. */
            resource: string;
        };
        DescribedAgentVersionDto: {
            /** @description Of its program: nodes with the same one have the same agent. */
            digest: string;
            /** @description What it says about itself; absent: not told yet, not to be had of this standard, or `problem` says why. */
            metadata?: components["schemas"]["AgentMetadataDto"];
            /** @description The nodes that have it so, by name. */
            nodes: string[];
            /** @description Why its meta-data could not be read. */
            problem?: string;
        };
        /** @description <docker> */
        DockerElement: {
            /** @description Attribute image. */
            image: string;
            /** @description Attribute network. */
            network?: string;
            /** @description Attribute options. */
            options?: string;
            /** @description Attribute promoted-max. */
            "promoted-max"?: string;
            /** @description Attribute replicas. */
            replicas?: string;
            /** @description Attribute replicas-per-host. */
            "replicas-per-host"?: string;
            /** @description Attribute run-command. */
            "run-command"?: string;
        };
        /** @description Which version of a configuration a CIB says that it has: what Pacemaker compares, the first part first. */
        DocumentVersion: {
            /** @description `admin_epoch`. */
            adminEpoch: number;
            /** @description `epoch`. */
            epoch: number;
        };
        /** @description <duration> */
        DurationElement: {
            /** @description Attribute days. */
            days?: string;
            /** @description Attribute hours. */
            hours?: string;
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute minutes. */
            minutes?: string;
            /** @description Attribute monthdays. */
            monthdays?: string;
            /** @description Attribute months. */
            months?: string;
            /** @description Attribute seconds. */
            seconds?: string;
            /** @description Attribute weekdays. */
            weekdays?: string;
            /** @description Attribute weeks. */
            weeks?: string;
            /** @description Attribute weekyears. */
            weekyears?: string;
            /** @description Attribute years. */
            years?: string;
            /** @description Attribute yearsdays. */
            yearsdays?: string;
        };
        /** @description One element of the configuration before and after; both are XML text. Without `before` the element is new, without `after` it is gone. */
        ElementChange: {
            /** @description XML after; absent for what is removed. */
            after?: string;
            /** @description XML before; absent for what is new. */
            before?: string;
            /** @description The element's id; empty for an element without one, which is then the only one of its name below its parent. For a comment that goes: its number among the parent's comments before the change, from 0. */
            id: string;
            /** @description Element name, e.g. `primitive`, `rsc_location`, `nvpair`; `configuration` for the whole; `#comment` for a comment. */
            kind: string;
            /** @description The parent's path from the root, e.g. `configuration/resources` or `configuration/resources/primitive[@id='db']`; empty for `configuration` itself. */
            path: string;
            /** @description Index among all children of the parent (comments count) once all changes of this parent that stand together in the list are made; given for what is new or moved. */
            position?: number;
        };
        ElementChangeDto: {
            /** @description XML after; absent for what is removed. */
            after?: string;
            /** @description XML before; absent for what is new. */
            before?: string;
            /** @description The element's own id; empty for one that has none, and for the configuration as a whole. */
            id: string;
            /**
             * @description The element's name; `configuration` for all of it.
             * @example primitive
             */
            kind: string;
            /**
             * @description Ids of the element's parents.
             * @example configuration/resources
             */
            path: string;
            /** @description Of what is new or was moved: its place among all children of its parent, from 0, when all changes are made. Absent where the place stays. */
            position?: number;
        };
        ElementListDto: {
            /** @description In the order of the document; of resources the members, too, each after what it is a member of. */
            items: components["schemas"]["ConfigurationElement"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        /** @description The log went back in time (a restored database, a replica that lacked the newest events): what it says of nodes and resources may be of yesterday. Every lease ends with this. */
        EpochBeganEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Who showed it: a node, `api`, `worker`, or a person. */
                by: string;
                /** @description UUID of the epoch that begins. */
                epoch: string;
                /** @description The one that ends; the first one of a cluster is its id. */
                previous: string;
                /**
                 * @description Its seal proved that a server had told it, or a server's process had read or stored it itself: it is no word of `by` alone.
                 * @constant
                 */
                proven?: true;
                /** @description What was found, for people. */
                reason: string;
                /** @description What somebody was told of the log and is not in it; absent when a person says that the log was restored. */
                witness?: {
                    /** @description Of the log at that time. */
                    epoch: string;
                    /** @description Of the event at that version; lower-case hexadecimal. */
                    hash: string;
                    /** @description Stream version, from 1. */
                    version: number;
                };
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "EpochBegan";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        ErasedSecretDto: {
            /** @description Whether it was only tried. */
            dryRun: boolean;
            /** @description What was erased. */
            erased: components["schemas"]["SecretDto"];
            /** @description Paths of the pairs that refer to it still: what uses them fails when it is started the next time, until a value is given anew. */
            usedAt: string[];
            /** @description The cluster's version after it. */
            version: number;
        };
        /** @description An event of a cluster. Later versions have more types: whoever does not know one passes it over. */
        EventDto: components["schemas"]["ClusterCreatedEvent"] | components["schemas"]["ClusterStoppingEvent"] | components["schemas"]["ClusterStopCancelledEvent"] | components["schemas"]["ClusterDeletedEvent"] | components["schemas"]["EpochBeganEvent"] | components["schemas"]["ConfigurationChangedEvent"] | components["schemas"]["SecretErasedEvent"] | components["schemas"]["NodeJoinedEvent"] | components["schemas"]["NodeJoinRefusedEvent"] | components["schemas"]["FalseWitnessShownEvent"] | components["schemas"]["NodeLeaseLostEvent"] | components["schemas"]["LeaseLossPolicyToldEvent"] | components["schemas"]["WatchdogToldEvent"] | components["schemas"]["ManagedToldEvent"] | components["schemas"]["NodeTroublesToldEvent"] | components["schemas"]["NodeLeftEvent"] | components["schemas"]["NodeShutdownRequestedEvent"] | components["schemas"]["NodeConfirmedDownEvent"] | components["schemas"]["NodeAttributeSetEvent"] | components["schemas"]["NodeAttributeClearedEvent"] | components["schemas"]["NodeAttributeHeldEvent"] | components["schemas"]["AttributeDelaySetEvent"] | components["schemas"]["OperationRecordedEvent"] | components["schemas"]["ResultsDroppedEvent"] | components["schemas"]["DebugOperationRequestedEvent"] | components["schemas"]["DebugOperationEndedEvent"] | components["schemas"]["FailuresClearedEvent"] | components["schemas"]["HistoryDeletedEvent"] | components["schemas"]["FencingAllowedEvent"] | components["schemas"]["FencingHistoryClearedEvent"] | components["schemas"]["FencingRequestedEvent"] | components["schemas"]["FencingCompletedEvent"] | components["schemas"]["AlertFailedEvent"] | components["schemas"]["AlertRecoveredEvent"] | components["schemas"]["QuorumChangedEvent"] | components["schemas"]["TicketChangedEvent"] | components["schemas"]["TransitionPlannedEvent"] | components["schemas"]["TransitionAbortedEvent"] | components["schemas"]["TransitionCompletedEvent"];
        EventListDto: {
            /** @description The events of this page. */
            items: components["schemas"]["EventDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        ExplanationDto: {
            /** @description Why actions are planned, or needed and not possible; those that were asked for. */
            actions: components["schemas"]["ActionExplanationDto"][];
            /** @description So many more were left out to keep the answer short: name resources or a node. */
            moreActions?: number;
            /** @description Where each primitive goes, and why; those that were asked for. */
            placements: components["schemas"]["PlacementDto"][];
        };
        /** @description <expression> */
        ExpressionElement: {
            /** @description Attribute attribute. */
            attribute: string;
            /** @description Attribute id. */
            id?: string;
            /**
             * @description Attribute operation.
             * @enum {string}
             */
            operation: "lt" | "gt" | "lte" | "gte" | "eq" | "ne" | "defined" | "not_defined";
            /**
             * @description Attribute type.
             * @enum {string}
             */
            type?: "string" | "integer" | "number" | "version";
            /** @description Attribute value. */
            value?: string;
            /**
             * @description Attribute value-source.
             * @enum {string}
             */
            "value-source"?: "literal" | "param" | "meta";
        };
        FailCountDto: {
            /**
             * @description A number, or INFINITY.
             * @example 2
             */
            count: string;
            /** @description Interval of the recurring operation, ms; 0 for one that does not recur. */
            intervalMs: number;
            /**
             * Format: date-time
             * @description When it failed last; absent where that is not known.
             */
            lastFailure?: string;
            /** @description Name of the node on which it failed. */
            node: string;
            /** @description The operation that failed, e.g. `monitor`. */
            operation: string;
            /** @description Id of the primitive. */
            resource: string;
        };
        FailCountListDto: {
            /** @description One for each resource, node and operation that has failed and was not cleaned up since. */
            items: components["schemas"]["FailCountDto"][];
        };
        FailedResourceDto: {
            /** @description Name of the node on which it fails. */
            node: string;
            /** @description A primitive. */
            resource: string;
        };
        FailureDto: {
            /**
             * Format: date-time
             * @description When the result last changed; absent where that is not known.
             */
            at?: string;
            /** @description The agent's own words. */
            exitReason?: string;
            /** @description Interval of the recurring operation, ms; 0 for one that does not recur. */
            intervalMs: number;
            /** @description Name of the node on which it failed. */
            node: string;
            /** @description The operation that failed, e.g. `start`. */
            operation: string;
            /** @description Return code (OCF) that the agent ended with. */
            rc: number;
            /** @description Id of the primitive; of an instance of a clone, with its number where it has one. */
            resource: string;
        };
        /** @description Fail counts and failed history entries of a resource on a node; of one operation when it is named. */
        FailuresClearedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description The action that it carries out; absent when a person asked for it. */
                graphAction?: components["schemas"]["GraphActionRef"];
                /** @description Interval of that operation, ms. */
                intervalMs?: number;
                /** @description Name of the node. */
                node: string;
                /** @description The one whose failures are forgotten; absent: those of all. */
                operation?: string;
                /** @description A person's. */
                reason?: string;
                /** @description As it stands in the fail count's name: the primitive's id. */
                resource: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "FailuresCleared";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description A node showed a place in the log that carries the seal of this installation and was never told: made up, or damaged. It counts for nothing. */
        FalseWitnessShownEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
                /** @description The place in the log that it showed. */
                witness: components["schemas"]["LogHead"];
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "FalseWitnessShown";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        FenceBody: {
            /**
             * @description What becomes of the machine; as the option `fencing-action` has it when left out. One that is off has to be switched on by somebody.
             * @enum {string}
             */
            action?: "reboot" | "off";
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        FencedNodeDto: {
            /**
             * @description Of `Fence`.
             * @example reboot
             */
            action?: string;
            /**
             * @description `Fence`: it is fenced; `Shutdown`: it leaves in order.
             * @enum {string}
             */
            change: "Fence" | "Shutdown";
            /** @description Name of the node. */
            node: string;
            /** @description In the words of the scheduler. */
            reason: string;
        };
        /** @description A person allows that a node is fenced although the limit on fencing is reached; until it joins again. */
        FencingAllowedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Name of the node that may be fenced. */
                node: string;
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "FencingAllowed";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        FencingAnswer: {
            /** @description Ids of the devices that can fence the node that was named, in the order of the configuration, as far as that tells; absent where none was named. */
            devices?: string[];
            /** @description What is under way, then how it ended, each newest first; without what somebody has noted to have seen. */
            history: {
                /** @description What was to be done to the target: `off`, `reboot`, or `on`. */
                action: string;
                /** @description Who asked for it. */
                client: string;
                /** @description When it ended, epoch seconds; absent while it is pending. */
                completedAt?: number;
                /** @description Name of the node whose agent told the device, or is to. */
                delegate: string;
                /** @description Why it failed; for people. */
                reason?: string;
                /**
                 * @description `failed`: no device, nor executor, was left to try.
                 * @enum {string}
                 */
                status: "pending" | "success" | "failed";
                /** @description Name of the node. */
                target: string;
            }[];
        };
        /** @description An event of the type FencingCompleted. */
        FencingCompletedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /**
                 * @description What the device was told.
                 * @enum {string}
                 */
                action: "off" | "reboot" | "on";
                /** @description With this the whole fencing of the target is done: it is off (or was rebooted). Absent: so when `outcome` is `succeeded`. It is false for all but the last device of a topology level. */
                confirmed?: boolean;
                /** @description What the device, or the server, said of it; for people. */
                detail?: string;
                /** @description Id of the fence device. */
                device: string;
                /** @description Name of the node whose agent was to run it. */
                executor: string;
                /** @description No device, executor or level is left to try: the fencing action of the transition has failed. */
                exhausted?: boolean;
                /** @description Of the attempt, as it was requested. */
                fencingId: string;
                /** @description Of the executor that reports; absent when the server gave up on it. */
                incarnation?: number;
                /**
                 * @description How the attempt ended.
                 * @enum {string}
                 */
                outcome: "succeeded" | "failed" | "timeout";
                /** @description The executor's id for this result; absent when the server gave up on it. */
                resultId?: string;
                /** @description Name of the node that was to be fenced. */
                target: string;
                /**
                 * @description The device can't fence the target, so that it was not told to: it is not tried again, another one is.
                 * @constant
                 */
                unable?: true;
                /**
                 * @description It was not asked for this, or is not any more: it counts for nothing. Absent of what counts, and in events from before that was recorded.
                 * @constant
                 */
                unasked?: true;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "FencingCompleted";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        FencingHistoryBody: {
            /** @description Of the fencing of this node only; of all when left out. */
            node?: string;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        /** @description A person has seen how nodes were fenced until here: lists and the status show what comes after it. */
        FencingHistoryClearedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Of the fencing of this node only; absent: of all. */
                node?: string;
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "FencingHistoryCleared";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description <fencing-level> */
        FencingLevelElement: {
            /** @description Attribute devices. */
            devices: string;
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute index. */
            index: string;
            /** @description Attribute target. */
            target?: string;
            /** @description Attribute target-attribute. */
            "target-attribute"?: string;
            /** @description Attribute target-pattern. */
            "target-pattern"?: string;
            /** @description Attribute target-value. */
            "target-value"?: string;
        };
        /** @description An event of the type FencingRequested. */
        FencingRequestedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /**
                 * @description What the device is told.
                 * @enum {string}
                 */
                action: "off" | "reboot" | "on";
                /** @description Which try to fence the target it is, from 1. */
                attempt: number;
                /** @description Before it begins: the share of `priority-fencing-delay`; first attempts only. */
                delayMs?: number;
                /** @description Id of the fence device. */
                device: string;
                /** @description With `on`: what becomes of `#digests-all` and `#digests-secure` of the target when it succeeds. */
                digests?: components["schemas"]["UnfencingDigests"];
                /** @description Name of the node whose agent is to run it; of a watchdog: the target. */
                executor: string;
                /** @description Unique id of this attempt. */
                fencingId: string;
                /** @description Id of the action in its graph. */
                graphActionId: number;
                /** @description Before it begins, besides: what was drawn at random (`pcmk_delay_max`). */
                randomDelayMs?: number;
                /** @description Name of the node that is to be fenced. */
                target: string;
                /** @description Number of the transition that wants it. */
                transition: number;
                /**
                 * @description What the transition wants; absent: the same. A reboot by several devices is `off` by each, then `on` by each.
                 * @enum {string}
                 */
                wanted?: "off" | "reboot" | "on";
                /** @description No device is told anything: the target resets itself by its watchdog, and the server counts so many ms from the loss of its lease on, by a clock that does not step. The executor is the target. */
                watchdogMs?: number;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "FencingRequested";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        FindingDto: {
            /**
             * @description The attribute of that element that is wrong, if it is one.
             * @example value
             */
            attribute?: string;
            /**
             * @description Name of the XML element there.
             * @example nvpair
             */
            element: string;
            /** @description The element's own id. */
            id?: string;
            /** @description In the answer to a write: it was not there before. */
            isNew?: boolean;
            /**
             * @description What kind of finding; `not-done`: Systole keeps it, and does nothing of the kind.
             * @enum {string}
             */
            kind: "unknown-name" | "unreadable-value" | "read-in-part" | "unknown-operation" | "idle-operation" | "repeated-operation" | "repeated-fencing-level" | "repeated-node" | "unknown-agent" | "unchecked-agent" | "unknown-parameter" | "missing-parameter" | "unknown-node" | "unmonitored" | "not-done" | "clear-secret" | "erased-secret" | "unseen-character" | "unusable-node-name" | "look-alike";
            /**
             * @description `error`: surely not meant, so that a write that brings it in is refused unless it is forced; `warning`: it may be meant.
             * @enum {string}
             */
            level: "error" | "warning";
            /**
             * @description What counts as long as nobody mends it.
             * @example it has no effect
             */
            meanwhile: string;
            /** @description What is wrong, and what to do about it. */
            message: string;
            /**
             * @description Of the XML element, with ids.
             * @example /cib/configuration/resources/primitive[@id='db']/meta_attributes[@id='db-meta']/nvpair[@id='db-role']
             */
            path: string;
            /**
             * @description What it is of: a resource (and its operation), a node, or a section.
             * @example db, operation monitor
             */
            subject: string;
            /**
             * @description The known name or word that was most likely meant.
             * @example stonith-enabled
             */
            suggestion?: string;
        };
        FindingsDto: {
            /** @description How many there are. */
            count: number;
            /** @description The first fifty: what is new before what was there, errors before warnings. */
            items: components["schemas"]["FindingDto"][];
        };
        /** @description What whoever asked for a configuration forced: it was surely not meant, and would have been refused. */
        Forced: {
            /** @description How many findings there were. */
            count: number;
            /** @description The first hundred of them. */
            findings: {
                /** @description The attribute of that element that is wrong, if it is one. */
                attribute?: string;
                /** @description What is wrong. */
                message: string;
                /** @description Of the XML element, with ids. */
                path: string;
            }[];
        };
        /** @description The action of a transition graph that an event carries out. */
        GraphActionRef: {
            /** @description Id of the action in its graph. */
            id: number;
            /** @description Number of the transition. */
            transition: number;
        };
        /** @description <group> */
        GroupElement: {
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description <primitive>, in order. */
            primitive?: components["schemas"]["PrimitiveElement"][];
        };
        HeadsStatementDto: {
            /**
             * @description Of the shape.
             * @enum {number}
             */
            format: 1;
            /** @description Of the streams that have grown since the statement before. */
            heads: components["schemas"]["StreamHeadDto"][];
            /**
             * Format: uuid
             * @description Of the installation whose log it is.
             */
            installation: string;
            /** @description From 1, without gaps. */
            number: number;
            /** @description SHA-256 of the statement before it, as canonical JSON; 64 zeros in the first. */
            previous: string;
            /**
             * Format: date-time
             * @description By the clock of the worker that signed.
             */
            signedAt: string;
        };
        /** @description The history of a resource on a node; of one operation when it is named. */
        HistoryDeletedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description The action that it carries out; absent when a person asked for it. */
                graphAction?: components["schemas"]["GraphActionRef"];
                /** @description Interval of that operation, ms. */
                intervalMs?: number;
                /** @description Name of the node. */
                node: string;
                /** @description The one whose history is forgotten; absent: that of all. */
                operation?: string;
                /** @description A person's. */
                reason?: string;
                /** @description Id of the `lrm_resource`. */
                resource: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "HistoryDeleted";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description <instance_attributes> */
        InstanceAttributesElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /** @description <nvpair>, in order. */
            nvpair?: components["schemas"]["NvpairElement"][];
            /** @description <rule>, in order. */
            rule?: components["schemas"]["RuleElement"][];
            /** @description Attribute score. */
            score?: string;
        };
        IssueSubjectDto: {
            /**
             * @description The attribute by which it refers to what was asked for; absent: it does not refer, or as a whole.
             * @example rsc
             */
            attribute?: string;
            /**
             * @description Its id; of a node its name, of an element without an id of its own (`obj_ref`, `resource_ref`) the id of what it stands in.
             * @example web-on-n1
             */
            id: string;
            /**
             * @description `node`, `resource`, or the name of an element of the configuration.
             * @example rsc_location
             */
            kind: string;
            /**
             * @description What it refers to; absent: it would have nothing left in it, or it is of another kind.
             * @example web
             */
            to?: string;
        };
        /** @description Within one boot of a machine: the later process, then the higher number is the later try. */
        JoinAttempt: {
            /** @description Counts up within the process. */
            number: number;
            /** @description ms since the boot. */
            processStartedMs: number;
        };
        /** @description A JSON Patch (RFC 6902): operations that are made in their order, all or none. */
        JsonPatch: {
            /** @description JSON pointer of what is moved or copied. */
            from?: string;
            /**
             * @description What is done. A `test` that fails refuses the patch (409).
             * @enum {string}
             */
            op: "add" | "remove" | "replace" | "move" | "copy" | "test";
            /** @description JSON pointer (RFC 6901) of where it is done. */
            path: string;
            /** @description What is added, replaces, or must be there. */
            value?: unknown;
        }[];
        LeaseDto: {
            /**
             * Format: date-time
             * @description When it runs out unless its agent is heard of before.
             */
            expiresAt: string;
            /** @description For how long each renewal holds, ms. */
            leaseMs: number;
            /**
             * Format: date-time
             * @description When its agent was last heard of.
             */
            renewedAt: string;
        };
        /** @description From now on the server reckons with this when the node loses its lease: the most cautious of what its agent may have been told. */
        LeaseLossPolicyToldEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
                /**
                 * @description What its agent does with its resources when it loses its lease: let them run, stop them, or stop feeding its watchdog.
                 * @enum {string}
                 */
                policy: "keep" | "stop" | "watchdog";
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "LeaseLossPolicyTold";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description A place in the event log that was acknowledged once: what a server tells with each answer, and what an agent shows with its next question. */
        LogHead: {
            /** @description Of the log at that time (see `epochOf`). */
            epoch: string;
            /** @description Of the event at that version; lower-case hexadecimal. */
            hash: string;
            /** @description Stream version, from 1. */
            version: number;
        };
        LossDto: {
            /** @description Operations that are carried out, without probes and monitors. */
            actions: number;
            /** @description What becomes of the resources that ran and do not stay as they are, the worst first. */
            affected: components["schemas"]["AffectedResourceDto"][];
            /** @description With `by: resource`: what fails. */
            failed?: components["schemas"]["FailedResourceDto"];
            /** @description Those of them, or with `by: resource` any, that are fenced. */
            fenced: string[];
            /** @description The nodes that are lost at once; none with `by: resource`. */
            nodes: string[];
            /** @description How many plans it takes to come to rest; absent when it does not within six. */
            plans?: number;
            /** @description Whether those that are left have quorum. */
            quorum: boolean;
            /** @description Resources that stay as they are. */
            unaffected: number;
            /** @description Those of them that no fence device covers, where fencing is enabled: what ran there is started nowhere until somebody confirms that they are down. Absent when there are none. */
            unfenceable?: string[];
            /**
             * @description No monitor of what fails runs there: nobody would notice, and nothing becomes of it.
             * @enum {boolean}
             */
            unnoticed?: true;
            /** @description Why resources that are down are started nowhere: the first ten of them, with what each node’s score is made of. */
            why: components["schemas"]["PlacementDto"][];
        };
        /** @description The agent of a node showed that it knows these resources to be managed again: it stops them when it has to stop everything. */
        ManagedToldEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
                /** @description History ids of the resources. */
                resources: string[];
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ManagedTold";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description Which other nodes were lost within the length of a lease of one, by the clock of a worker that saw those losses come: dates of a log don't tell when a clock stepped. */
        MeasuredLosses: {
            /** @description Names, sorted. All others were lost earlier. */
            near: string[];
            /** @description Names of nodes whose losses it did not see come, sorted: there the dates count. Absent: none. */
            unseen?: string[];
            /** @description Of losses that the log held up to this stream version. */
            version: number;
        };
        /** @description <meta_attributes> */
        MetaAttributesElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /** @description <nvpair>, in order. */
            nvpair?: components["schemas"]["NvpairElement"][];
            /** @description <rule>, in order. */
            rule?: components["schemas"]["RuleElement"][];
            /** @description Attribute score. */
            score?: string;
        };
        ModeBody: {
            /** @description Ids of further resources that are meant: all of them, in one event, or none. */
            also?: string[];
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        MoveBody: {
            /**
             * @description Ends by itself after this time, an ISO 8601 duration; when left out it stays until it is cleared.
             * @example PT2H
             */
            lifetime?: string;
            /** @description Where it is to go; away from where it runs when left out. */
            node?: string;
            /** @description Its promoted role only. */
            promoted?: boolean;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        MoveElementBody: {
            /** @description Id of the sibling that it goes after. */
            after?: string;
            /** @description Id of the sibling that it goes before; at the end when left out. */
            before?: string;
            /** @description Id of the group, clone or bundle that it becomes a member of. When left out: that of `before` or `after`; without these it goes out of what it is a member of, to the end of the section. */
            parent?: string;
        };
        /** @description <acl_group>, by itself. */
        NamedAclGroupElement: components["schemas"]["AclGroupElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "acl_group";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "acl_group";
        };
        /** @description <acl_role>, by itself. */
        NamedAclRoleElement: components["schemas"]["AclRoleElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "acl_role";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "acl_role";
        };
        /** @description <acl_target>, by itself. */
        NamedAclTargetElement: components["schemas"]["AclTargetElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "acl_target";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "acl_target";
        };
        /** @description <alert>, by itself. */
        NamedAlertElement: components["schemas"]["AlertElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "alert";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "alert";
        };
        /** @description <bundle>, by itself. */
        NamedBundleElement: components["schemas"]["BundleElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "bundle";
            /** @description When it is created: ids of resources that are there and become its members, in this order, with all that they have. Never shown. */
            members?: string[];
            /** @description Id of the group, clone or bundle that it is a member of; absent for what is none. */
            parent?: string;
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "bundle";
        };
        /** @description <clone>, by itself. */
        NamedCloneElement: components["schemas"]["CloneElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "clone";
            /** @description When it is created: ids of resources that are there and become its members, in this order, with all that they have. Never shown. */
            members?: string[];
            /** @description Id of the group, clone or bundle that it is a member of; absent for what is none. */
            parent?: string;
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "clone";
        };
        /** @description <crm_config>, by itself. */
        NamedCrmConfigElement: components["schemas"]["CrmConfigElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "crm_config";
        };
        /** @description <fencing-level>, by itself. */
        NamedFencingLevelElement: components["schemas"]["FencingLevelElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "fencing-level";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "fencing-level";
        };
        /** @description <group>, by itself. */
        NamedGroupElement: components["schemas"]["GroupElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "group";
            /** @description When it is created: ids of resources that are there and become its members, in this order, with all that they have. Never shown. */
            members?: string[];
            /** @description Id of the group, clone or bundle that it is a member of; absent for what is none. */
            parent?: string;
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "group";
        };
        /** @description <node>, by itself. */
        NamedNodeElement: components["schemas"]["NodeElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "node";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "node";
        };
        /** @description <op_defaults>, by itself. */
        NamedOpDefaultsElement: components["schemas"]["OpDefaultsElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "op_defaults";
        };
        /** @description <primitive>, by itself. */
        NamedPrimitiveElement: components["schemas"]["PrimitiveElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "primitive";
            /** @description Id of the group, clone or bundle that it is a member of; absent for what is none. */
            parent?: string;
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "primitive";
        };
        /** @description <rsc_colocation>, by itself. */
        NamedRscColocationElement: components["schemas"]["RscColocationElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "rsc_colocation";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "rsc_colocation";
        };
        /** @description <rsc_defaults>, by itself. */
        NamedRscDefaultsElement: components["schemas"]["RscDefaultsElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "rsc_defaults";
        };
        /** @description <rsc_location>, by itself. */
        NamedRscLocationElement: components["schemas"]["RscLocationElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "rsc_location";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "rsc_location";
        };
        /** @description <rsc_order>, by itself. */
        NamedRscOrderElement: components["schemas"]["RscOrderElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "rsc_order";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "rsc_order";
        };
        /** @description <rsc_ticket>, by itself. */
        NamedRscTicketElement: components["schemas"]["RscTicketElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "rsc_ticket";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "rsc_ticket";
        };
        /** @description <tag>, by itself. */
        NamedTagElement: components["schemas"]["TagElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "tag";
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "tag";
        };
        /** @description <template>, by itself. */
        NamedTemplateElement: components["schemas"]["TemplateElement"] & {
            /**
             * @description What it is.
             * @enum {string}
             */
            element: "template";
            /** @description Id of the group, clone or bundle that it is a member of; absent for what is none. */
            parent?: string;
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            element: "template";
        };
        /** @description <network> */
        NetworkElement: {
            /** @description Attribute add-host. */
            "add-host"?: string;
            /** @description Attribute control-port. */
            "control-port"?: string;
            /** @description Attribute host-interface. */
            "host-interface"?: string;
            /** @description Attribute host-netmask. */
            "host-netmask"?: string;
            /** @description Attribute ip-range-start. */
            "ip-range-start"?: string;
            /** @description <port-mapping>, in order. */
            "port-mapping"?: components["schemas"]["PortMappingElement"][];
        };
        NewEventDto: {
            /** @description Without the changes of the configuration, which stand in `changes`. */
            data: {
                [key: string]: unknown;
            };
            /**
             * @description What happened, as in the event log.
             * @example ConfigurationChanged
             */
            type: string;
        };
        /** @description An event of the type NodeAttributeCleared. */
        NodeAttributeClearedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /**
                 * @description It was held back before, and is written with what else was held of it.
                 * @constant
                 */
                held?: true;
                /** @description Which of the two of that name. */
                lifetime: components["schemas"]["AttributeLifetime"];
                /** @description Name of the attribute. */
                name: string;
                /** @description Name of the node. */
                node: string;
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeAttributeCleared";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        NodeAttributeDto: {
            /**
             * @description `forever`: in the configuration; `reboot`: until the node leaves.
             * @enum {string}
             */
            lifetime: "forever" | "reboot";
            /** @description Name of the attribute. */
            name: string;
            /** @description Its value; any text, the empty one included. */
            value: string;
        };
        /** @description An agent set or cleared a transient attribute that is dampened: it is written when nothing of it has changed for that long, together with what changes of it on other nodes. */
        NodeAttributeHeldEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description How long changes of the attribute wait from now on, on all nodes, ms. */
                delayMs: number;
                /** @description Name of the attribute. */
                name: string;
                /** @description Name of the node. */
                node: string;
                /** @description What is to be written; absent: it is to be cleared. */
                value?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeAttributeHeld";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        NodeAttributeListDto: {
            /** @description The attributes of the node, permanent and transient ones. */
            items: components["schemas"]["NodeAttributeDto"][];
        };
        /** @description An event of the type NodeAttributeSet. */
        NodeAttributeSetEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /**
                 * @description It was held back before, and is written with what else was held of it.
                 * @constant
                 */
                held?: true;
                /** @description How long it stays. */
                lifetime: components["schemas"]["AttributeLifetime"];
                /** @description Name of the attribute. */
                name: string;
                /** @description Name of the node. */
                node: string;
                /** @description A person's. */
                reason?: string;
                /**
                 * @description What it makes in the configuration gets ids that nothing else there has. Else, as in older logs, later changes may name the ids that come of its names alone.
                 * @constant
                 */
                uniqueIds?: true;
                /** @description Its value from now on. */
                value: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeAttributeSet";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description A person vouches that the node is down. */
        NodeConfirmedDownEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Name of the node. */
                node: string;
                /** @description A person's. */
                reason?: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeConfirmedDown";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        NodeCountsDto: {
            /** @description In maintenance: what is on them is left as it is. */
            maintenance: number;
            /** @description Not in the cluster, and known to run nothing. */
            offline: number;
            /** @description With nothing wrong. */
            online: number;
            /** @description Have joined, and can not run anything yet. */
            pending: number;
            /** @description About to leave. */
            shutdown: number;
            /** @description In standby: they keep no resources. */
            standby: number;
            /** @description All of them. */
            total: number;
            /** @description Must be fenced, or confirmed to be down, before their resources may run elsewhere. */
            unclean: number;
        };
        NodeDto: {
            /** @description How many actions its agent carries out at a time, as far as it told. It is given no more, unless `node-action-limit` is set. */
            actionLimit?: number;
            /** @description Version of its agent; absent before one has joined. */
            agentVersion?: string;
            /** @description Id in the configuration, as `node` there has it. */
            id: string;
            /** @description How often an agent has joined as this node; reports of an earlier one count no more. Absent before the first. */
            incarnation?: number;
            /**
             * @description `cluster`: an agent runs on it; `remote`, `guest` and `bundle`: a resource makes it a node.
             * @enum {string}
             */
            kind: "cluster" | "remote" | "guest" | "bundle";
            /** @description Until when its agent may be silent; absent where it holds none, and of the past. */
            lease?: components["schemas"]["LeaseDto"];
            /** @description What is on it is left as it is: nothing is started, stopped or monitored there. */
            maintenance: boolean;
            /**
             * @description What is known of its agent: never heard of; holds a lease; the lease ran out; left in good order; fenced or confirmed down; not heard of since the event log went back in time.
             * @enum {string}
             */
            membership: "unknown" | "joined" | "lost" | "left" | "down" | "unheard";
            /** @description Who put it in standby or maintenance, fenced it or confirmed that it is down, and why. At present only, and not for what the cluster was made with, or a rule did. */
            modes?: components["schemas"]["NodeModeDto"][];
            /** @description Its name. */
            name: string;
            /** @description Can run resources as far as membership goes. */
            online: boolean;
            /** @description It has joined, and can not run anything yet. */
            pending: boolean;
            /** @description What fences it when it is lost; absent where fencing is switched off, and for nodes that resources make. */
            protection?: components["schemas"]["NodeProtectionDto"];
            /** @description Its agent asked to leave. */
            shutdown: boolean;
            /**
             * Format: date-time
             * @description When the membership became what it is.
             */
            since?: string;
            /** @description It keeps no resources: those that it has move away. */
            standby: boolean;
            /** @description Must be fenced before its resources may run elsewhere. */
            unclean: boolean;
            /** @description What is not as it is with a node of a cluster that is well, the worst first; absent when nothing is. */
            wrong?: ("unclean" | "pending" | "offline" | "standby" | "maintenance" | "shutdown")[];
        };
        /** @description <node> */
        NodeElement: {
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description Attribute score. */
            score?: string;
            /**
             * @description Attribute type.
             * @enum {string}
             */
            type?: "member" | "remote";
            /** @description Attribute uname. */
            uname: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            utilization?: {
                [key: string]: string;
            } | components["schemas"]["UtilizationElement"][];
        };
        /** @description An event of the type NodeJoined. */
        NodeJoinedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description How many actions its agent carries out at a time, as far as it told. */
                actionLimit?: number;
                /** @description Of a remote or guest node: history ids of what may be active there as its agent said, beside what the log knows itself; absent: nothing. */
                active?: string[];
                /** @description Version of its agent. */
                agentVersion: string;
                /** @description Which try of which process of the agent it was, within that boot. */
                attempt?: components["schemas"]["JoinAttempt"];
                /**
                 * @description Another process of the agent, or another session, on the boot that joined before: what lasts until the reboot goes on. `but-promotion`: all but promotion scores, as its agent may have stopped what they are of. Absent: it is lost, but for `standby`.
                 * @enum {string}
                 */
                attributesKept?: "all" | "but-promotion";
                /** @description Changes with each boot of the machine. */
                bootId?: string;
                /**
                 * @description Its agent carries out debug operations; absent: it knows of none.
                 * @constant
                 */
                debugOperations?: true;
                /**
                 * @description Another boot than before, which was let in as nobody could fence that one: what ran there may run on.
                 * @constant
                 */
                doubtful?: true;
                /** @description Counts up with each joining of an agent as this node, from 1. */
                incarnation: number;
                /**
                 * @description A remote or guest node, as the configuration says; absent: a cluster node.
                 * @enum {string}
                 */
                kind?: "remote" | "guest";
                /** @description For how long each sign of life of its agent holds, ms. */
                leaseMs: number;
                /**
                 * @description What its agent does when it loses its lease, by a setting of its own, whatever it is told.
                 * @enum {string}
                 */
                localOnLeaseLoss?: "keep" | "stop" | "watchdog";
                /** @description Stays with the machine; that of a cloned disk may be the same. */
                machineId?: string;
                /** @description Name of the node. */
                node: string;
                /** @description Its id in the configuration. */
                nodeId: string;
                /**
                 * @description What its agent is told to do when it loses its lease; absent when it follows no server: it stops its resources.
                 * @enum {string}
                 */
                onLeaseLoss?: "keep" | "stop" | "watchdog";
                /**
                 * @description Another boot than before, which began after that one had left in order, as earlier versions took it: what ran there is over.
                 * @constant
                 */
                restarted?: true;
                /** @description History ids of what may be active there and its agent takes for not managed, as it said; absent: nothing. */
                unmanaged?: string[];
                /** @description Time-out of the watchdog that its agent arms as soon as it holds the lease, ms; absent: it has none, or nobody knows its time-out. */
                watchdogMs?: number;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeJoined";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description Another boot than the one that joined last, of this machine or a second one with the same token, wanted to join. Recorded once for each boot; and once more when the boot that holds the lease was heard of after it had asked. Or, once, the agent of a remote or guest node of the lost tail of the log. */
        NodeJoinRefusedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /**
                 * @description Both lived at once: it is a second machine.
                 * @constant
                 */
                alongside?: true;
                /** @description Of the machine that asked; changes with each boot. */
                bootId: string;
                /** @description Of the machine that asked; absent where it did not tell. */
                machineId?: string;
                /** @description Name of the node. */
                node: string;
                /**
                 * @description The log went back, and neither it nor the configuration knows a remote or guest node of that name: it may run what the log does not know of.
                 * @constant
                 */
                unconfigured?: true;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeJoinRefused";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description An event of the type NodeLeaseLost. */
        NodeLeaseLostEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description When the lease ran out; ISO 8601, UTC. */
                expiredAt: string;
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description What the worker measured that found it; absent in logs of before, and where it knew of no other loss. */
                measured?: components["schemas"]["MeasuredLosses"];
                /** @description Name of the node. */
                node: string;
                /** @description Names of other nodes that should have renewed their leases by then as well: they may have been cut off together. Absent: none. */
                overdue?: string[];
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeLeaseLost";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description The agent stopped the resources that it may stop, and said goodbye. */
        NodeLeftEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description History ids of what runs on there because it was not managed, by what the log knows and its agent said; absent where that was not recorded yet. */
                active?: string[];
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeLeft";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        NodeListDto: {
            /** @description The nodes of the cluster, those that a resource makes included. */
            items: components["schemas"]["NodeDto"][];
        };
        NodeModeDto: {
            /**
             * Format: date-time
             * @description When that was.
             */
            at: string;
            /**
             * @description Who set it last, or said that the node is down; who asked for the fencing, or where nobody did, who reported it.
             * @example user:alice
             */
            by: string;
            /**
             * @description The last two of a node that is down.
             * @enum {string}
             */
            mode: "standby" | "maintenance" | "fenced" | "confirmed-down";
            /** @description Why, as they said. */
            reason?: string;
        };
        NodeProtectionDto: {
            /** @description Ids of the devices that fence it, in the order in which they are tried; its own watchdog is called `watchdog`, or as the primitive that stands for it. Empty: nothing does. */
            devices: string[];
            /** @description The watchdog that its agent feeds, as far as it told of its time-out. */
            watchdog?: components["schemas"]["NodeWatchdogDto"];
        };
        NodesBody: {
            /** @description Names of the nodes; all cluster nodes when left out. */
            nodes?: string[];
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        /** @description An event of the type NodeShutdownRequested. */
        NodeShutdownRequestedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /**
                 * @description Of a remote or guest node whose connection was not up: who plans is not told before it is, as the node would be fenced for what runs there. Absent: it was, or it is a cluster node.
                 * @constant
                 */
                cutOff?: true;
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeShutdownRequested";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        NodeSummaryDto: {
            /** @description Id in the configuration. */
            id: string;
            /**
             * @description `cluster`: an agent runs on it; `remote`, `guest` and `bundle`: a resource makes it a node.
             * @enum {string}
             */
            kind: "cluster" | "remote" | "guest" | "bundle";
            /** @description What is on it is left as it is: nothing is started, stopped or monitored there. */
            maintenance: boolean;
            /** @description Its name. */
            name: string;
            /** @description Can run resources as far as membership goes. */
            online: boolean;
            /** @description It has joined, and can not run anything yet. */
            pending: boolean;
            /** @description Its agent asked to leave. */
            shutdown: boolean;
            /** @description It keeps no resources: those that it has move away. */
            standby: boolean;
            /** @description Must be fenced before its resources may run elsewhere. */
            unclean: boolean;
        };
        NodeTellingDto: {
            /**
             * @description Standards of which it has named all agents.
             * @example [
             *       "ocf",
             *       "stonith",
             *       "lsb"
             *     ]
             */
            classes: string[];
            /** @description Name of the node. */
            node: string;
            /**
             * Format: date-time
             * @description When it told them last.
             */
            toldAt: string;
        };
        NodeTrouble: {
            /** @description What kind, as the agent names it. */
            code: string;
            /** @description For people. */
            detail: string;
        };
        /** @description What keeps the agent of a node from doing its work, as it says; nothing: it is over. Recorded when it changes in kind. */
        NodeTroublesToldEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
                /** @description What is wrong there; empty: nothing is any more. */
                troubles: components["schemas"]["NodeTrouble"][];
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "NodeTroublesTold";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        NodeWatchdogDto: {
            /**
             * Format: date-time
             * @description Since when it is armed, and its agent stops feeding it when it can not renew its lease; absent: it was told of with the join, and may be armed since.
             */
            armedSince?: string;
            /** @description How long after the loss of its lease the node counts as reset by it, ms; absent: time proves nothing (see `fencing-watchdog-timeout`). */
            countedAfterMs?: number;
            /** @description After how long without being fed it resets the machine, ms. */
            timeoutMs: number;
        };
        /** @description <nvpair> */
        NvpairElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /** @description Attribute name. */
            name?: string;
            /** @description Attribute value. */
            value?: string;
        };
        /** @description <obj_ref> */
        ObjRefElement: {
            /** @description Attribute id. */
            id: string;
        };
        OnNodeBody: {
            /** @description On this node only; on every node when left out. */
            node?: string;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        /** @description <op_defaults> */
        OpDefaultsElement: {
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
        };
        /** @description <op> */
        OpElement: {
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute enabled. */
            enabled?: string;
            /** @description Attribute id. */
            id?: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description Attribute interval. */
            interval: string;
            /** @description Attribute interval-origin. */
            "interval-origin"?: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description Attribute name. */
            name: string;
            /**
             * @description Attribute on-fail.
             * @enum {string}
             */
            "on-fail"?: "ignore" | "block" | "demote" | "stop" | "restart" | "standby" | "fence" | "restart-container";
            /** @description Attribute record-pending. */
            "record-pending"?: string;
            /**
             * @description Attribute role.
             * @enum {string}
             */
            role?: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Slave" | "Master";
            /** @description Attribute start-delay. */
            "start-delay"?: string;
            /** @description Attribute timeout. */
            timeout?: string;
        };
        /** @description Digests of an operation's parameters (specification 01 §11), which its result carries into the history. */
        OperationDigests: {
            /** @description Of all parameters. */
            opDigest: string;
            /** @description Names of the parameters whose change asks for a restart, separated by blanks. */
            opForceRestart?: string;
            /** @description Of those parameters. */
            opRestartDigest?: string;
            /** @description Of all but the secret parameters. */
            opSecureDigest?: string;
            /** @description Names of the parameters that are secret, separated by blanks. */
            opSecureParams?: string;
        };
        /** @description An event of the type OperationRecorded. */
        OperationRecordedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description The id under which the action was handed out; absent for what no transition asked for. */
                actionId?: string;
                /** @description Name of the resource agent. */
                agentType: string;
                /** @description Counts up per node and incarnation. */
                callId: number;
                /** @description Standard of the resource agent, e.g. `ocf`. */
                class: string;
                /** @description Of the parameters that it was carried out with; absent where the server did not compute them. */
                digests?: components["schemas"]["OperationDigests"];
                /** @description How long it took, ms. */
                execMs: number;
                /** @description The agent's own words; absent when it gave none. */
                exitReason?: string;
                /** @description Incarnation of the agent that reports; 0 when the server records it (timeout, lost). */
                incarnation: number;
                /** @description Interval of a recurring operation, ms; 0 for one that does not recur. */
                intervalMs: number;
                /** @description Epoch seconds at which the operation began whose result this is, by the clock of the database: what failures expire by. Events from before that was so bear the time of the node's clock. */
                lastRcChange: number;
                /** @description Arrived for a transition that is no longer current, or from a superseded incarnation. */
                late: boolean;
                /** @description Of a migration: the node that the resource leaves. */
                migrateSource?: string;
                /** @description Of a migration: the node that it goes to. */
                migrateTarget?: string;
                /** @description Name of the node on which it was carried out. */
                node: string;
                /** @description Task as executed: start, stop, monitor, promote, demote, notify, cancel, migrate_to, migrate_from, reload-agent, delete. */
                operation: string;
                /** @description The last lines of output, bounded; for people. */
                output?: string;
                /** @description Of `ocf`: whose agent it is. */
                provider?: string;
                /** @description How long it waited for its turn on the node, ms. */
                queueMs: number;
                /** @description Return code (OCF): 0 is success, 7 not running. */
                rc: number;
                /** @description Id of the `lrm_resource`. */
                resource: string;
                /** @description The agent's id for this result; a result sent again is recognised by it. Absent for what the server records. */
                resultId?: string;
                /** @description Of a stop: since when the resource is to wait for the node, which is shutting down (`shutdown-lock`), epoch seconds; absent where it is not. */
                shutdownLock?: number;
                /** @description The same by the clock of the node, right or wrong; absent for what the server records. */
                startedAt?: number;
                /** @description How the execution ended, whatever the agent answered. */
                status: components["schemas"]["OperationStatus"];
                /** @description `<graph action id>:<transition number>:<expected rc>:<epoch of the log>`. */
                transitionKey: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "OperationRecorded";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description <operations> */
        OperationsElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /** @description <op>, in order. */
            op?: components["schemas"]["OpElement"][];
        };
        /**
         * @description How the execution ended; the numbers are Pacemaker's `op-status` (specification 03 §7.4).
         * @enum {string}
         */
        OperationStatus: "done" | "cancelled" | "timeout" | "not-supported" | "error" | "error-hard" | "error-fatal" | "not-installed" | "not-connected" | "lost";
        OperatorToolRequest: {
            /** @description Why, in the words of whoever asks. */
            reason?: string;
            /** @description What is to be written. */
            request: components["schemas"]["ToolRequest"];
            /** @description Name of the program that asks, as people know it. */
            tool: string;
        };
        /** @description <op_expression> */
        OpExpressionElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute interval. */
            interval?: string;
            /** @description Attribute name. */
            name: string;
        };
        PastDto: {
            /**
             * Format: date-time
             * @description For which it was computed.
             */
            at: string;
            /** @description What nobody knows of then, as it is in no event: nothing is said of it, neither that it was well nor that it was not. */
            unknown: ("leases" | "workers" | "actions-in-flight" | "node-modes" | "planning-failures" | "waiting-reports")[];
        };
        PendingFencingDto: {
            /**
             * @description What the device is told.
             * @enum {string}
             */
            action: "off" | "reboot" | "on";
            /** @description Which try to fence the target this is, from 1. */
            attempt: number;
            /** @description Id of the fence device. */
            device: string;
            /** @description The node that executes it. */
            executor: string;
            /** @description Name of the node that is fenced. */
            target: string;
        };
        PendingOperationDto: {
            /** @description Name of the node. */
            node: string;
            /**
             * @description The operation.
             * @example start
             */
            operation: string;
            /**
             * @description What it does to the resource, in the words of `crm_mon`.
             * @enum {string}
             */
            state: "Starting" | "Stopping" | "Migrating" | "Promoting" | "Demoting" | "Monitoring";
        };
        PlacementDto: {
            /** @description Nodes on which it is active now. */
            activeOn: string[];
            /** @description Nodes, the best first; one that is missing is not allowed at all. */
            candidates: components["schemas"]["CandidateDto"][];
            /** @description Its last operation failed, so that it has to be recovered. */
            failed: boolean;
            /** @description So many more were left out to keep the answer short: name resources. */
            moreCandidates?: number;
            /**
             * @description Its role after the transition.
             * @enum {string}
             */
            nextRole: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Unknown";
            /** @description The node that it gets; absent when it gets none. */
            node?: string;
            /** @description Only in promotable clones. */
            promotion?: components["schemas"]["PromotionDto"];
            /** @description Id of the primitive; of an instance of a clone, with its number where it has one. */
            resource: string;
            /**
             * @description Its role now.
             * @enum {string}
             */
            role: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Unknown";
            /**
             * @description The rule that decided.
             * @enum {string}
             */
            rule: "highest-score" | "tie-stays" | "tie-emptier" | "tie-name" | "wanted" | "unmanaged" | "stop-all" | "to-be-stopped" | "no-candidate" | "no-partner" | "surplus";
            /**
             * @description The decision in a sentence.
             * @example node1 has the highest score, 200 (next is node2 with 0)
             */
            text: string;
            /** @description The group, clone or bundle that it belongs to, the outermost first. */
            within: string[];
        };
        PlannedActionDto: {
            /** @description In a dry run that has resources probed (operation `probe`): done only when the probes do not find what ran before. */
            afterProbe?: boolean;
            /** @description Name of the node on which it is done; of fencing, the node that is fenced. */
            node: string;
            /**
             * @description What is done, as in a graph.
             * @example start
             */
            operation: string;
            /** @description The first reason that made it necessary. */
            reason?: string;
            /** @description Id of the resource that it is of; absent of what is done to a node. */
            resource: string;
        };
        /** @description A live migration of a plan: its `migrate_to`. */
        PlannedMigration: {
            /** @description Id of the `migrate_to` in the graph. */
            graphAction: number;
            /** @description History id. */
            resource: string;
            /** @description The node that it is to leave. */
            source: string;
            /** @description The node that it is to arrive at. */
            target: string;
        };
        PlannedProbeDto: {
            /** @description Node that is asked whether it runs there. */
            node: string;
            /** @description Resource; of an instance of an anonymous clone, of what is cloned. */
            resource: string;
        };
        PlanningFailureDto: {
            /** @description Of the last try, for people. */
            reason: string;
            /**
             * Format: date-time
             * @description Of the first try that failed.
             */
            since: string;
            /** @description How often it was tried since. */
            tries: number;
        };
        /** @description <podman> */
        PodmanElement: {
            /** @description Attribute image. */
            image: string;
            /** @description Attribute network. */
            network?: string;
            /** @description Attribute options. */
            options?: string;
            /** @description Attribute promoted-max. */
            "promoted-max"?: string;
            /** @description Attribute replicas. */
            replicas?: string;
            /** @description Attribute replicas-per-host. */
            "replicas-per-host"?: string;
            /** @description Attribute run-command. */
            "run-command"?: string;
        };
        /** @description <port-mapping> */
        PortMappingElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute internal-port. */
            "internal-port"?: string;
            /** @description Attribute port. */
            port?: string;
            /** @description Attribute range. */
            range?: string;
        };
        /** @description <primitive> */
        PrimitiveElement: {
            /**
             * @description Attribute class.
             * @enum {string}
             */
            class?: "ocf" | "lsb" | "systemd" | "service" | "stonith" | "heartbeat";
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description The operations; a list of operations that refers to another one as a list of this. */
            operations?: components["schemas"]["OpElement"][] | components["schemas"]["OperationsElement"][];
            /** @description Attribute provider. */
            provider?: string;
            /** @description Attribute template. */
            template?: string;
            /** @description Attribute type. */
            type?: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            utilization?: {
                [key: string]: string;
            } | components["schemas"]["UtilizationElement"][];
        };
        ProblemDto: {
            /** @description Of an agent that reports too much: which budget of its node is spent. */
            budget?: components["schemas"]["SpentBudgetDto"];
            /** @description Of a server that is not ready: how each of the things that it needs is. */
            checks?: {
                [key: string]: components["schemas"]["ReadinessCheckDto"];
            };
            /** @description The cluster's version against which the request was judged. */
            currentVersion?: number;
            /** @description What is wrong, where, and what to do next. */
            detail: string;
            /** @description Of a request that does not fit: the first twenty. */
            errors?: components["schemas"]["ProblemIssueDto"][];
            /** @description The request's path, with the request's id as fragment. */
            instance: string;
            /** @description Whether there are more errors than are named; absent: there are not. */
            moreErrors?: boolean;
            /**
             * @description Of what could not be stored: `none`, nothing was changed; `unknown`, it may have been done: look before you try again.
             * @enum {string}
             */
            outcome?: "none" | "unknown";
            /**
             * @description The HTTP status of the answer.
             * @example 404
             */
            status: number;
            /**
             * @description What the status means, for people.
             * @example Not found
             */
            title: string;
            /** @description Id of the token that an earlier attempt made. */
            tokenId?: string;
            /**
             * @description What the trouble with the database is, in a word.
             * @example no-answer
             */
            trouble?: string;
            /**
             * Format: uri
             * @description Names the kind of problem; stable. Later versions have more: whoever does not know one goes by the status.
             * @example https://systole.dev/problems/cluster-not-found
             */
            type: components["schemas"]["ProblemType"];
        };
        ProblemIssueDto: {
            /** @description What of the cluster it is about, e.g. what refers to that which was to be deleted; absent where it is about the request. */
            about?: components["schemas"]["IssueSubjectDto"];
            /** @description What is wrong, and what to do about it. */
            detail: string;
            /**
             * @description Name of the XML element there.
             * @example primitive
             */
            element?: string;
            /**
             * @description Of a configuration that is valid and says what is surely not meant: the kind of finding. It can be forced.
             * @enum {string}
             */
            finding?: "unknown-name" | "unreadable-value" | "read-in-part" | "unknown-operation" | "idle-operation" | "repeated-operation" | "repeated-fencing-level" | "repeated-node" | "unknown-agent" | "unchecked-agent" | "unknown-parameter" | "missing-parameter" | "unknown-node" | "unmonitored" | "not-done" | "clear-secret" | "erased-secret" | "unseen-character" | "unusable-node-name" | "look-alike";
            /** @description Name of the header. */
            header?: string;
            /** @description Line in the submitted XML document, from 1. */
            line?: number;
            /** @description Name of the query or path parameter. */
            parameter?: string;
            /**
             * @description Path of the XML element, with ids.
             * @example /cib/configuration/resources/primitive[@id='db']
             */
            path?: string;
            /**
             * @description JSON pointer (RFC 6901) into the body.
             * @example /name
             */
            pointer?: string;
            /** @description It was there before, and is no reason to refuse; absent: it is one. */
            standing?: boolean;
            /**
             * @description The known name or word that was most likely meant.
             * @example stonith-enabled
             */
            suggestion?: string;
        };
        /**
         * @description Names the kind of problem; stable. Later versions have more: whoever does not know one goes by the status.
         * @enum {string}
         */
        ProblemType: "https://systole.dev/problems/agent-descriptions-full" | "https://systole.dev/problems/agent-not-found" | "https://systole.dev/problems/agent-not-installed" | "https://systole.dev/problems/agent-too-old" | "https://systole.dev/problems/agents-only" | "https://systole.dev/problems/alert-disabled" | "https://systole.dev/problems/alert-not-found" | "https://systole.dev/problems/already-there" | "https://systole.dev/problems/attribute-not-found" | "https://systole.dev/problems/attribute-overridden" | "https://systole.dev/problems/attribute-reserved" | "https://systole.dev/problems/attributes-full" | "https://systole.dev/problems/busy" | "https://systole.dev/problems/caller-gone" | "https://systole.dev/problems/certificate-for-another-node" | "https://systole.dev/problems/certificate-needed" | "https://systole.dev/problems/certificate-not-accepted" | "https://systole.dev/problems/closing" | "https://systole.dev/problems/cluster-deleted" | "https://systole.dev/problems/cluster-exists" | "https://systole.dev/problems/cluster-not-found" | "https://systole.dev/problems/cluster-not-stopping" | "https://systole.dev/problems/cluster-stopping" | "https://systole.dev/problems/collection-not-found" | "https://systole.dev/problems/computation-timeout" | "https://systole.dev/problems/computation-too-large" | "https://systole.dev/problems/content-too-large" | "https://systole.dev/problems/contention" | "https://systole.dev/problems/database-unavailable" | "https://systole.dev/problems/debug-running" | "https://systole.dev/problems/declared-down" | "https://systole.dev/problems/delivery-not-found" | "https://systole.dev/problems/doubtful-configuration" | "https://systole.dev/problems/element-exists" | "https://systole.dev/problems/element-in-use" | "https://systole.dev/problems/element-not-found" | "https://systole.dev/problems/event-gone" | "https://systole.dev/problems/event-not-found" | "https://systole.dev/problems/fencing-disabled" | "https://systole.dev/problems/fencing-not-found" | "https://systole.dev/problems/idempotency-key-reused" | "https://systole.dev/problems/incarnation-superseded" | "https://systole.dev/problems/internal" | "https://systole.dev/problems/invalid-argument" | "https://systole.dev/problems/invalid-configuration" | "https://systole.dev/problems/invalid-parameter" | "https://systole.dev/problems/invalid-request" | "https://systole.dev/problems/issuer-unreachable" | "https://systole.dev/problems/join-overtaken" | "https://systole.dev/problems/lease-lost" | "https://systole.dev/problems/list-changed" | "https://systole.dev/problems/log-epoch-changed" | "https://systole.dev/problems/log-too-new" | "https://systole.dev/problems/log-went-back" | "https://systole.dev/problems/malformed-header" | "https://systole.dev/problems/malformed-json" | "https://systole.dev/problems/malformed-request" | "https://systole.dev/problems/method-not-allowed" | "https://systole.dev/problems/no-role" | "https://systole.dev/problems/no-such-route" | "https://systole.dev/problems/node-joined-elsewhere" | "https://systole.dev/problems/node-not-found" | "https://systole.dev/problems/node-offline" | "https://systole.dev/problems/node-online" | "https://systole.dev/problems/not-acceptable" | "https://systole.dev/problems/not-for-agents" | "https://systole.dev/problems/not-for-this-agent" | "https://systole.dev/problems/not-ready" | "https://systole.dev/problems/operators-thread-away" | "https://systole.dev/problems/other-installation" | "https://systole.dev/problems/others-affected" | "https://systole.dev/problems/overloaded" | "https://systole.dev/problems/own-token" | "https://systole.dev/problems/patch-test-failed" | "https://systole.dev/problems/place-not-clear" | "https://systole.dev/problems/precondition-required" | "https://systole.dev/problems/protocol-too-new" | "https://systole.dev/problems/protocol-too-old" | "https://systole.dev/problems/refused" | "https://systole.dev/problems/report-budget-spent" | "https://systole.dev/problems/request-not-found" | "https://systole.dev/problems/request-outcome-unknown" | "https://systole.dev/problems/request-running" | "https://systole.dev/problems/reset-ordered" | "https://systole.dev/problems/resource-not-found" | "https://systole.dev/problems/right-not-held" | "https://systole.dev/problems/role-too-low" | "https://systole.dev/problems/schema-missing" | "https://systole.dev/problems/scope-too-narrow" | "https://systole.dev/problems/secret-erased" | "https://systole.dev/problems/secret-not-found" | "https://systole.dev/problems/secret-refused" | "https://systole.dev/problems/stale-decision" | "https://systole.dev/problems/still-active" | "https://systole.dev/problems/still-managed" | "https://systole.dev/problems/still-referred-to" | "https://systole.dev/problems/tag-not-found" | "https://systole.dev/problems/ticket-granted" | "https://systole.dev/problems/token-for-another-node" | "https://systole.dev/problems/token-made-before" | "https://systole.dev/problems/token-name-taken" | "https://systole.dev/problems/token-not-found" | "https://systole.dev/problems/tokens-lost" | "https://systole.dev/problems/too-many-bodies" | "https://systole.dev/problems/too-many-bytes" | "https://systole.dev/problems/too-many-computations" | "https://systole.dev/problems/too-many-requests" | "https://systole.dev/problems/too-many-streams" | "https://systole.dev/problems/too-many-webhooks" | "https://systole.dev/problems/too-many-wrong-tokens" | "https://systole.dev/problems/transition-not-found" | "https://systole.dev/problems/transition-running" | "https://systole.dev/problems/unauthenticated" | "https://systole.dev/problems/unsupported-media-type" | "https://systole.dev/problems/unsupported-transfer-coding" | "https://systole.dev/problems/version-mismatch" | "https://systole.dev/problems/version-not-found" | "https://systole.dev/problems/webhook-made-before" | "https://systole.dev/problems/webhook-name-taken" | "https://systole.dev/problems/webhook-not-found" | "https://systole.dev/problems/write-overtaken";
        PromotionDto: {
            /** @description The instance: the primitive itself, or the group that it is a member of. */
            instance: string;
            /** @description Where it would be promoted; absent when it has no node. */
            node?: string;
            /** @description In order; their amounts, added up by Pacemaker's arithmetic of scores, are the score. */
            parts?: components["schemas"]["ScorePartDto"][];
            /** @description The highest are promoted, those below 0 never. */
            score: number;
            /** @description Why it is promoted, or is not. */
            text: string;
        };
        /** @description An event of the type QuorumChanged. */
        QuorumChangedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description How many there are when all nodes are there. */
                expectedVotes: number;
                /** @description Whether there is quorum from now on. */
                quorate: boolean;
                /** @description How many votes are there. */
                votes: number;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "QuorumChanged";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        QuorumDto: {
            /** @description How many votes there are when all nodes are there. */
            expectedVotes: number;
            /**
             * @description Without quorum: the no-quorum-policy that is in force.
             * @enum {string}
             */
            policy?: "stop" | "freeze" | "ignore" | "demote" | "fence";
            /** @description Whether enough votes are there: without quorum the no-quorum-policy says what becomes of the resources. */
            quorate: boolean;
            /** @description How many votes are there now. */
            votes: number;
        };
        ReadinessCheckDto: {
            /** @description What is wrong with it, or what goes on without it. */
            message?: string;
            /**
             * @description Whether it is there.
             * @enum {string}
             */
            status: "up" | "down";
        };
        ReasonBody: {
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        ReasonDto: {
            /** @description Id of the action that this one is needed for, or waits for. */
            action?: number;
            /** @description Id of the ordering constraint between the two. */
            constraint?: string;
            /** @description The reason in words. */
            text: string;
        };
        /** @description <recipient> */
        RecipientElement: {
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id?: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description Attribute value. */
            value: string;
        };
        RefreshBody: {
            /** @description On this node only; on every node when left out. */
            node?: string;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        RenameNodeBody: {
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /** @description The new name. */
            to: string;
        };
        RenameResourceBody: {
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /** @description The new id. */
            to: string;
        };
        ReplayDto: {
            /** @description As recorded when it was planned. */
            digest: string;
            /** @description The scheduler that planned it, e.g. systole/0.1.0+2; with another one now, another graph may be right. */
            plannedBy: string;
            /** @description Of the graph computed now. */
            recomputed: string;
            /** @description The scheduler that computed it now. */
            recomputedBy: string;
            /** @description Whether both digests are the same: the plan can be computed again from the log. */
            same: boolean;
        };
        ReplicaDto: {
            /** @description Nodes on which its container is active now. */
            activeOn: string[];
            /** @description Something in it has failed. */
            failed: boolean;
            /**
             * @description Its own address.
             * @example 192.0.2.10
             */
            ipAddress?: string;
            /** @description From 0. */
            number: number;
            /** @description Ids of the resources that it consists of, which stand in `children`. */
            parts: components["schemas"]["ReplicaPartsDto"];
            /**
             * @description Of what runs in the container; of the container itself where it runs alone.
             * @enum {string}
             */
            role: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Unknown";
        };
        ReplicaPartsDto: {
            /** @description The connection to the executor in the container. */
            connection?: string;
            /** @description The container itself. */
            container: string;
            /** @description The address, where the bundle has its own. */
            ip?: string;
            /** @description What runs in the container. */
            resource?: string;
        };
        ResilienceBegunDto: {
            /**
             * Format: uuid
             * @description Of the cluster.
             */
            clusterId: string;
            /** @description The time that it is said for, epoch seconds. */
            now: number;
            /** @description How many losses are tried: so many lines follow, and then the whole. */
            tries: number;
            /** @description The version of the cluster that it is said of. */
            version: number;
        };
        ResilienceBody: {
            /** @description With `by: attribute`: the name of the node attribute, e.g. `rack`. */
            attribute?: string;
            /**
             * @description What is lost at once: each node (when left out), each two, or all with one value of an attribute. With `resource` nothing is lost, but each resource fails once on each node where it is active, as its monitor would say.
             * @enum {string}
             */
            by?: "node" | "pair" | "attribute" | "resource";
            /** @description Only these nodes are lost, or, with `by: resource`, only what is active on these fails; all that have joined when left out. */
            nodes?: string[];
            /** @description With `by: resource`: only these primitives fail; all that are active when left out. */
            resources?: string[];
        };
        ResilienceDto: {
            /**
             * Format: uuid
             * @description Id of the cluster that it is said of.
             */
            clusterId: string;
            /** @description What follows from each loss that was tried. */
            losses: components["schemas"]["LossDto"][];
            /** @description The time that it is said for, epoch seconds. */
            now: number;
            /** @description The losses after which something that ran is down, or nothing of it is promoted any more; empty when there are none. */
            singlePointsOfFailure: components["schemas"]["SinglePointOfFailureDto"][];
            /** @description The version of the cluster that it is said of. */
            version: number;
            /** @description With `by: attribute`: nodes without a value of it; they are not tried. */
            without: string[];
        };
        ResourceAgentDto: {
            /**
             * @description The standard that it follows.
             * @example ocf
             */
            class: string;
            /**
             * @description Of `ocf`: whose agent it is; absent of other classes.
             * @example heartbeat
             */
            provider?: string;
            /**
             * @description Name of the agent.
             * @example IPaddr2
             */
            type: string;
        };
        ResourceCountsDto: {
            /** @description Need something that can not be done. */
            blocked: number;
            /** @description Kept from running as they could by their target-role. */
            disabled: number;
            /** @description Their last operation failed. */
            failed: number;
            /** @description In the role Promoted. */
            promoted: number;
            /** @description In whatever role. */
            started: number;
            /** @description Active nowhere. */
            stopped: number;
            /** @description All of them. */
            total: number;
            /** @description Of which nobody knows whether they run somewhere. */
            unknown: number;
            /** @description Left as they are: neither started nor stopped. */
            unmanaged: number;
        };
        ResourceHistoryDto: {
            /** @description The entries of this page, in the order that was asked for. */
            items: components["schemas"]["ResourceHistoryEntryDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        ResourceHistoryEntryDto: {
            event: components["schemas"]["EventDto"];
            /**
             * @description `configuration`: it, what it stands in, or what refers to it was changed; `operation`: its agent was run, also where a probe found it active or not installed; `failure`: with another result than wanted; `move`: a part of a live migration; `cleanup`: failures or its history were forgotten; `fencing`: a node on which it has been was lost or fenced.
             * @enum {string}
             */
            kind: "configuration" | "operation" | "failure" | "move" | "cleanup" | "fencing" | "other";
            /** @description In words. */
            text: string;
            /** @description The transition that ordered it. */
            transition?: number;
        };
        /** @description <resource_ref> */
        ResourceRefElement: {
            /** @description Attribute id. */
            id: string;
        };
        /** @description <resource_set> */
        ResourceSetElement: {
            /**
             * @description Attribute action.
             * @enum {string}
             */
            action?: "start" | "promote" | "demote" | "stop";
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /**
             * @description Attribute kind.
             * @enum {string}
             */
            kind?: "Optional" | "Mandatory" | "Serialize";
            /**
             * @description Attribute ordering.
             * @enum {string}
             */
            ordering?: "group" | "listed";
            /** @description Attribute require-all. */
            "require-all"?: string;
            /** @description <resource_ref>, in order. */
            resource_ref?: components["schemas"]["ResourceRefElement"][];
            /**
             * @description Attribute role.
             * @enum {string}
             */
            role?: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Slave" | "Master";
            /** @description Attribute score. */
            score?: string;
            /** @description Attribute sequential. */
            sequential?: string;
        };
        ResourceSummaryDto: {
            /** @description Nodes on which it is active now. */
            activeOn: string[];
            /** @description Of a primitive: the agent that runs it. */
            agent?: components["schemas"]["ResourceAgentDto"];
            /** @description Node where it will be then. */
            assignedTo?: string;
            /** @description It needs something that can not be done, e.g. a stop that failed, without fencing. */
            blocked: boolean;
            /** @description What it consists of: members of a group, instances of a clone, the parts of a bundle; empty for a primitive. */
            children: components["schemas"]["ResourceSummaryDto"][];
            /**
             * @description Its `target-role` keeps it from running as it could. Absent when it does not.
             * @enum {boolean}
             */
            disabled?: true;
            /** @description Its last operation failed. */
            failed: boolean;
            /**
             * @description In a status: why the start or promotion that `nextRole` and `assignedTo` announce waits, for people. Absent when nothing holds it.
             * @example it may still run on n1
             */
            held?: string;
            /** @description Its id; an instance of a clone has its number after it where the clone tells them apart. */
            id: string;
            /**
             * @description What it is: one service, or what it is made of.
             * @enum {string}
             */
            kind: "primitive" | "group" | "clone" | "bundle";
            /** @description Whether it is started and stopped; what is not managed is left as it is. */
            managed: boolean;
            /**
             * @description After the actions that can be carried out; what the scheduler can not bring about (without quorum, …) is not announced.
             * @enum {string}
             */
            nextRole: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Unknown";
            /** @description In a status of the present: what is being done to it. Absent when nothing is, or nothing is known of that. */
            pending?: components["schemas"]["PendingOperationDto"][];
            /** @description Known only from its history. */
            removed: boolean;
            /** @description Of a bundle. */
            replicas?: components["schemas"]["ReplicaDto"][];
            /**
             * @description `Unknown` (in a status): it is active nowhere as far as is known, but `unknownOn` is not empty.
             * @enum {string}
             */
            role: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Unknown";
            /** @description Nodes of which nobody knows whether it runs there, in a status: it is still to be probed there, or the node could not be asked. Absent when there are none. */
            unknownOn?: string[];
            /**
             * @description In a status: what it waits for that somebody wants so, for people: a ticket that is not granted or in standby, or a disabled resource that it needs. It runs nowhere, and that is well. Absent when it waits for nothing.
             * @example ticket site-a
             */
            waitsFor?: string;
            /** @description In a status: what is wrong with it, the worst first; absent when nothing is. `stopped`: it runs nowhere, nobody is about to start it, and nobody wants that (`disabled`, `waitsFor`, `stop-all-resources`). */
            wrong?: ("failed" | "blocked" | "multiply-active" | "unknown" | "held" | "stopped" | "degraded" | "unmanaged" | "no-longer-configured")[];
        };
        RestoreBody: {
            /** @description Or as it was at this time: a date and time, or an age, e.g. `2h`. */
            at?: string;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /** @description The configuration as it was at this version of the cluster. */
            version?: number;
        };
        /** @description A node reported results of resources that are neither configured, nor in its history, nor were handed out to it, or of more operations of a resource than there can be. Recorded with each report that holds such results, so that the sum of the counts is what the log does not have. */
        ResultsDroppedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description How many there were in the report; one that is sent again counts again. */
                count: number;
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
                /** @description The first few of the resources. */
                resources: string[];
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ResultsDropped";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description <role> */
        RoleElement: {
            /** @description Attribute id. */
            id: string;
        };
        /** @description <rsc_colocation> */
        RscColocationElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute influence. */
            influence?: string;
            /** @description Attribute node-attribute. */
            "node-attribute"?: string;
            /** @description <resource_set>, in order. */
            resource_set?: components["schemas"]["ResourceSetElement"][];
            /** @description Attribute rsc. */
            rsc?: string;
            /**
             * @description Attribute rsc-role.
             * @enum {string}
             */
            "rsc-role"?: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Slave" | "Master";
            /** @description Attribute score. */
            score?: string;
            /** @description Attribute with-rsc. */
            "with-rsc"?: string;
            /**
             * @description Attribute with-rsc-role.
             * @enum {string}
             */
            "with-rsc-role"?: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Slave" | "Master";
        };
        /** @description <rsc_defaults> */
        RscDefaultsElement: {
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
        };
        /** @description <rsc_expression> */
        RscExpressionElement: {
            /** @description Attribute class. */
            class?: string;
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute provider. */
            provider?: string;
            /** @description Attribute type. */
            type?: string;
        };
        /** @description <rsc_location> */
        RscLocationElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute node. */
            node?: string;
            /** @description <resource_set>, in order. */
            resource_set?: components["schemas"]["ResourceSetElement"][];
            /**
             * @description Attribute resource-discovery.
             * @enum {string}
             */
            "resource-discovery"?: "always" | "never" | "exclusive";
            /**
             * @description Attribute role.
             * @enum {string}
             */
            role?: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Slave" | "Master";
            /** @description Attribute rsc. */
            rsc?: string;
            /** @description Attribute rsc-pattern. */
            "rsc-pattern"?: string;
            /** @description <rule>, in order. */
            rule?: components["schemas"]["RuleElement"][];
            /** @description Attribute score. */
            score?: string;
        };
        /** @description <rsc_order> */
        RscOrderElement: {
            /** @description Attribute first. */
            first?: string;
            /**
             * @description Attribute first-action.
             * @enum {string}
             */
            "first-action"?: "start" | "promote" | "demote" | "stop";
            /** @description Attribute id. */
            id?: string;
            /**
             * @description Attribute kind.
             * @enum {string}
             */
            kind?: "Optional" | "Mandatory" | "Serialize";
            /** @description Attribute require-all. */
            "require-all"?: string;
            /** @description <resource_set>, in order. */
            resource_set?: components["schemas"]["ResourceSetElement"][];
            /** @description Attribute score. */
            score?: string;
            /** @description Attribute symmetrical. */
            symmetrical?: string;
            /** @description Attribute then. */
            then?: string;
            /**
             * @description Attribute then-action.
             * @enum {string}
             */
            "then-action"?: "start" | "promote" | "demote" | "stop";
        };
        /** @description <rsc_ticket> */
        RscTicketElement: {
            /** @description Attribute id. */
            id?: string;
            /**
             * @description Attribute loss-policy.
             * @enum {string}
             */
            "loss-policy"?: "stop" | "demote" | "fence" | "freeze";
            /** @description <resource_set>, in order. */
            resource_set?: components["schemas"]["ResourceSetElement"][];
            /** @description Attribute rsc. */
            rsc?: string;
            /**
             * @description Attribute rsc-role.
             * @enum {string}
             */
            "rsc-role"?: "Stopped" | "Started" | "Unpromoted" | "Promoted" | "Slave" | "Master";
            /** @description Attribute ticket. */
            ticket: string;
        };
        /** @description <rule> */
        RuleElement: {
            /**
             * @description Attribute boolean-op.
             * @enum {string}
             */
            "boolean-op"?: "and" | "or";
            /** @description <date_expression>, in order. */
            date_expression?: components["schemas"]["DateExpressionElement"][];
            /** @description <expression>, in order. */
            expression?: components["schemas"]["ExpressionElement"][];
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /** @description <op_expression>, in order. */
            op_expression?: components["schemas"]["OpExpressionElement"][];
            /** @description Attribute role. */
            role?: string;
            /** @description <rsc_expression>, in order. */
            rsc_expression?: components["schemas"]["RscExpressionElement"][];
            /** @description <rule>, in order. */
            rule?: components["schemas"]["RuleElement"][];
            /** @description Attribute score. */
            score?: string;
            /** @description Attribute score-attribute. */
            "score-attribute"?: string;
        };
        RunningTransitionDto: {
            /** @description Why nothing new is begun any more; absent while it is `running`. */
            abortReason?: string;
            /** @description Actions that are planned in all, fencing included. Pseudo actions, which do nothing, are none. */
            actions?: number;
            /** @description Actions of which a result was reported, also when it was not by the node that the action went to, and therefore ends nothing. */
            ended: number;
            /** @description Of those, the ones of which somebody reported that they did not go as expected. */
            failed: number;
            /** @description Actions that were handed out to agents, and of which no result was reported yet. Of the present only. */
            inFlight?: number;
            /** @description Counts from 1 in each cluster. */
            number: number;
            /**
             * @description `aborting`: nothing new is begun, what is under way is waited for.
             * @enum {string}
             */
            status: "running" | "aborting";
            /** @description Whose answers are waited for, those first that are for the longest; twenty at most. Of the present only. */
            waitsFor?: components["schemas"]["AwaitedAgentDto"][];
        };
        SafetyNoteDto: {
            /**
             * @description Stable; for programs.
             * @example fencing-disabled
             */
            code: string;
            /** @description What is at stake, and what to do. */
            text: string;
        };
        ScheduleDto: {
            /** @description What is to be done; the graph says what waits for what. */
            actions: components["schemas"]["PlannedActionDto"][];
            /** @description The transition graph. */
            graph?: {
                [key: string]: unknown;
            };
            /** @description What the scheduler has to say about it. */
            messages: components["schemas"]["SchedulerMessageDto"][];
            /** @description The nodes as they are now. */
            nodes: components["schemas"]["NodeSummaryDto"][];
            /** @description Effective time, epoch seconds. */
            now: number;
            /** @description Where it is asked first whether a resource runs. They change nothing, so they are not among the actions; what they find may. */
            probes: components["schemas"]["PlannedProbeDto"][];
            /** @description Whether it was planned with quorum. */
            quorate: boolean;
            /** @description The resources, as they are now and as they will be. */
            resources: components["schemas"]["ResourceSummaryDto"][];
            /** @description Scores of resources on nodes, where they were asked for; absent otherwise. */
            scores?: components["schemas"]["ScoreDto"][];
        };
        SchedulerMessageDto: {
            /**
             * @description How much it matters.
             * @enum {string}
             */
            level: "error" | "warning" | "info";
            /** @description The message, for people. */
            text: string;
        };
        ScoreCauseDto: {
            /** @description The two are to be kept apart, so that its preference counts the other way round. */
            apart?: boolean;
            /** @description The clone or bundle that decides about its instance. */
            collective?: string;
            /** @description Id of the location or colocation constraint; `#…` for those that the scheduler makes itself. */
            constraint?: string;
            /** @description Failures that count. */
            count?: number;
            /** @description The resource that is to be with this one, or apart from it. */
            dependent?: string;
            /** @description What each failure adds. */
            each?: number;
            /** @description The fail count. */
            failures?: number;
            /**
             * @description What it comes from.
             * @example location
             * @enum {string}
             */
            kind: "node" | "health" | "location" | "stickiness" | "failures" | "migration-threshold" | "colocation" | "dependent" | "dependent-floor" | "promotion-score" | "no-promotion-score" | "priority" | "already-promoted" | "not-promotable" | "not-placed" | "no-partner" | "ticket" | "shutdown-lock" | "exclusive-discovery" | "to-be-stopped" | "history" | "multiply-active" | "unmanaged" | "removed" | "utilization" | "instance" | "bundle-node" | "remote-node" | "launcher";
            /** @description What it runs inside of. */
            launcher?: string;
            /** @description The node that it is locked to. */
            node?: string;
            /** @description The operation in the history. */
            operation?: string;
            /** @description Of a colocation: the resource that this one is to be with, or apart from. */
            primary?: string;
            /** @description Its OCF return code. */
            rc?: number;
            /** @description The resource that failed, or that has a promotion score. */
            resource?: string;
            /** @description The role that it is to have. */
            role?: string;
            /** @description Its op-status. */
            status?: number;
            /** @description node-health-strategy. */
            strategy?: string;
            /** @description migration-threshold. */
            threshold?: number;
            /** @description The resources between the two, nearest first. */
            through?: string[];
            /** @description Id of the ticket. */
            ticket?: string;
            /** @description What it decided. */
            why?: string;
        };
        ScoreDto: {
            /** @description Name of the node. */
            node: string;
            /** @description In which step of its work the scheduler computed it; one resource may have a score on a node in several. */
            phase: string;
            /** @description Id of the resource. */
            resource: string;
            /** @description ±1,000,000 is ±INFINITY; the highest is preferred. */
            score: number;
        };
        ScorePartDto: {
            /** @description ±1,000,000 is ±INFINITY. */
            amount: number;
            /** @description What it comes from, for programs. */
            cause: components["schemas"]["ScoreCauseDto"];
            /**
             * @description The cause in words.
             * @example location db-prefers-node1
             */
            text: string;
        };
        SecretDetailsDto: {
            /**
             * @description Agents that it is told to, and no others.
             * @example [
             *       "ocf:heartbeat:pgsql"
             *     ]
             */
            agents: string[];
            /**
             * Format: date-time
             * @description When it was given.
             */
            createdAt: string;
            /**
             * @description By whom.
             * @example user:alice
             */
            createdBy: string;
            /** @description That its value was erased for good; absent: it was not. */
            erased?: components["schemas"]["SecretErasure"];
            /**
             * @description References to it are `systole-secret:` and this id.
             * @example 0f343b0931126a20f133d67c2b018a3b
             */
            id: string;
            /** @description The server's keys do not open it; absent: they do, or it was erased. */
            locked?: boolean;
            /**
             * @description Id of the resource, template or alert that it was given for.
             * @example db
             */
            owner: string;
            /**
             * @description Name of the parameter.
             * @example password
             */
            parameter: string;
            /** @description Paths of the pairs that refer to it in the present configuration. */
            usedAt: string[];
            /** @description Its value, for who may see it and asks for it (`secrets=clear`). */
            value?: string;
        };
        SecretDto: {
            /**
             * @description Agents that it is told to, and no others.
             * @example [
             *       "ocf:heartbeat:pgsql"
             *     ]
             */
            agents: string[];
            /**
             * Format: date-time
             * @description When it was given.
             */
            createdAt: string;
            /**
             * @description By whom.
             * @example user:alice
             */
            createdBy: string;
            /** @description That its value was erased for good; absent: it was not. */
            erased?: components["schemas"]["SecretErasure"];
            /**
             * @description References to it are `systole-secret:` and this id.
             * @example 0f343b0931126a20f133d67c2b018a3b
             */
            id: string;
            /** @description The server's keys do not open it; absent: they do, or it was erased. */
            locked?: boolean;
            /**
             * @description Id of the resource, template or alert that it was given for.
             * @example db
             */
            owner: string;
            /**
             * @description Name of the parameter.
             * @example password
             */
            parameter: string;
        };
        /** @description The value of a secret was forgotten for good; the configuration may still refer to it. */
        SecretErasedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description The resource that it was given for. */
                owner: string;
                /** @description Name of the parameter that it is the value of. */
                parameter: string;
                /** @description A person's. */
                reason?: string;
                /** @description Its id, as references have it. */
                secret: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "SecretErased";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        SecretErasure: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /**
             * @description By whom.
             * @example user:alice
             */
            by: string;
        };
        SecretListDto: {
            /** @description In the order in which they were given. */
            items: components["schemas"]["SecretDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        /** @description <select_attributes> */
        SelectAttributesElement: {
            /** @description <attribute>, in order. */
            attribute?: components["schemas"]["AttributeElement"][];
        };
        /** @description <select> */
        SelectElement: {
            /** @description <select_attributes>, in order. */
            select_attributes?: components["schemas"]["SelectAttributesElement"][];
            /** @description <select_fencing>, in order. */
            select_fencing?: components["schemas"]["SelectFencingElement"][];
            /** @description <select_nodes>, in order. */
            select_nodes?: components["schemas"]["SelectNodesElement"][];
            /** @description <select_resources>, in order. */
            select_resources?: components["schemas"]["SelectResourcesElement"][];
        };
        /** @description <select_fencing> */
        SelectFencingElement: Record<string, never>;
        /** @description <select_nodes> */
        SelectNodesElement: Record<string, never>;
        /** @description <select_resources> */
        SelectResourcesElement: Record<string, never>;
        SetNodeAttributeBody: {
            /**
             * @description `forever` (when left out): in the configuration; `reboot`: until the node leaves.
             * @enum {string}
             */
            lifetime?: "forever" | "reboot";
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /** @description The value. */
            value: string;
        };
        SettledDto: {
            /** @description The cluster is deleted by then; absent when it is not. */
            deleted?: boolean;
            /** @description What failed since the write, 100 at most. */
            failures: components["schemas"]["FailureDto"][];
            /** @description Ids of the resources of `failures` that run nowhere then; when the cluster has settled also of what the write made, enabled, promoted, managed or moved: no node may run it, or its start waits. */
            notRunning: string[];
            /**
             * @description `failed`: the cluster has settled, and operations failed since the write (`failures`). `interrupted`: the write was made, and the wait was broken off before the cluster had settled or the time was up, since its caller had gone or the server ended; told to who asks again with the same Idempotency-Key, which waits for nothing: the status says what is so by now. `unknown`: the write was made, and what came of it could not be looked at; `waitingFor` says why.
             * @enum {string}
             */
            outcome: "settled" | "failed" | "timed-out" | "interrupted" | "unknown";
            /** @description Those that ran between the write and the answer, in their order. */
            transitions: components["schemas"]["SettlingTransitionDto"][];
            /** @description With `settled`: everything that is wrong then, the worst first, as in a status; a cluster that came to rest without quorum, or with failed operations, is settled and not well. Absent where that could not be looked at. */
            troubles?: components["schemas"]["TroubleDto"][];
            /**
             * @description Why the status of the cluster could not be looked at within the time, for people: `notRunning` is empty then whatever runs, `troubles` are absent, and `waitingFor` has only what is known without it. Absent where it was.
             * @example the status of the cluster was not computed in time
             */
            unseen?: string;
            /** @description The cluster's version then; with `unknown`, that after the write. */
            version: number;
            /** @description What keeps the cluster from being settled, for people; empty when it is. */
            waitingFor: string[];
        };
        SettlingTransitionDto: {
            /** @description Counts from 1 in each cluster. */
            number: number;
            /** @description How many actions were done, never begun and failed; absent while it runs. */
            outcome?: components["schemas"]["TransitionOutcomeDto"];
            /**
             * @description `aborting`: nothing new is begun, what is under way is waited for; `aborted`: it ended before all was done.
             * @enum {string}
             */
            status: "running" | "aborting" | "complete" | "aborted";
            /** @description Of one that ended before all was done: what became of each line of `summary`; `open`: nobody reported an end of it. Absent for others, and for very long ones. */
            steps?: ("done" | "failed" | "open")[];
            /** @description What it was planned to do, one line for each action; `outcome` says how much of it was done. */
            summary: string[];
        };
        SetUtilizationBody: {
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
            /**
             * @description A whole number from 0.
             * @example 4
             */
            value: string;
        };
        SignedHeadsDto: {
            /** @description Ed25519: SPKI in DER, base64. */
            publicKey: string;
            /** @description Ed25519 over the UTF-8 of the statement as canonical JSON (RFC 8785), base64. */
            signature: string;
            /** @description What is signed. */
            statement: components["schemas"]["HeadsStatementDto"];
        };
        SignedHeadsListDto: {
            /** @description The statements of this page, in the order that was asked for. */
            items: components["schemas"]["SignedHeadsDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
            /** @description Why there are none, and what to do; absent when there are. */
            note?: string;
        };
        SimulationDto: {
            /** @description What is to be done; the graph says what waits for what. */
            actions: components["schemas"]["PlannedActionDto"][];
            /** @description With `explain`. */
            explanation?: components["schemas"]["ExplanationDto"];
            /** @description The transition graph. */
            graph?: {
                [key: string]: unknown;
            };
            /** @description What the scheduler has to say about it. */
            messages: components["schemas"]["SchedulerMessageDto"][];
            /** @description The nodes as they are now. */
            nodes: components["schemas"]["NodeSummaryDto"][];
            /** @description Effective time, epoch seconds. */
            now: number;
            /** @description Where it is asked first whether a resource runs. They change nothing, so they are not among the actions; what they find may. */
            probes: components["schemas"]["PlannedProbeDto"][];
            /** @description Whether it was planned with quorum. */
            quorate: boolean;
            /** @description The resources, as they are now and as they will be. */
            resources: components["schemas"]["ResourceSummaryDto"][];
            /** @description Scores of resources on nodes, where they were asked for; absent otherwise. */
            scores?: components["schemas"]["ScoreDto"][];
        };
        SinglePointOfFailureDto: {
            /** @description With `by: resource`: what fails. */
            failed?: components["schemas"]["FailedResourceDto"];
            /** @description The nodes that are lost at once; none with `by: resource`. */
            nodes: string[];
            /** @description What is down, or has nothing promoted, when they are lost, or that fails. */
            resources: string[];
        };
        SpentBudgetDto: {
            /**
             * @description What was reported.
             * @example results
             */
            kind: string;
            /**
             * @description What of it is too much.
             * @enum {string}
             */
            of: "events" | "bytes" | "reports" | "unheard";
            /**
             * @description How much of it there is a minute.
             * @example 30000
             */
            perMinute: number;
        };
        StandbyBody: {
            /**
             * @description `forever` (when left out): until somebody takes it back; `reboot`: until the node leaves or is fenced, if nobody takes it back before.
             * @enum {string}
             */
            lifetime?: "forever" | "reboot";
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        StatusCountsDto: {
            /** @description How many nodes are in which state. */
            nodes: components["schemas"]["NodeCountsDto"];
            /** @description How many primitives are in which state. */
            resources: components["schemas"]["ResourceCountsDto"];
        };
        StatusDto: {
            /**
             * Format: uuid
             * @description Id of the cluster.
             */
            clusterId: string;
            /** @description Of the whole cluster, whatever was selected. */
            counts: components["schemas"]["StatusCountsDto"];
            /** @description What runs and is likelier to fail, as its agent says (return codes 190 and 191); of what was selected. */
            degraded: components["schemas"]["DegradedDto"][];
            /** @description Mark of the epoch of the log, which belongs to the version: the ETag is `"<version>-<epoch>"`. Absent in the first epoch. */
            epoch?: string;
            /** @description Failures that count until they are cleaned up or expire; those of what was selected. */
            failCounts: components["schemas"]["FailCountDto"][];
            /** @description Operations whose last result is a failure; those of what was selected. */
            failures: components["schemas"]["FailureDto"][];
            /** @description Fencing that is under way. */
            fencing: components["schemas"]["PendingFencingDto"][];
            /** @description What of the configuration does not do what it seems to say: it was forced, or is from before that was checked; and what is accepted and not done. */
            findings: components["schemas"]["FindingsDto"];
            /**
             * @description The worst of `troubles`; `good` when there are none. A cluster that has lost its quorum, or in which operations failed, may be settled, and is not good.
             * @enum {string}
             */
            health: "good" | "warn" | "bad";
            /** @description What is waited for before the next computation, or before anything is started. */
            hold?: string;
            /** @description What the scheduler has to say about what it plans. */
            messages: components["schemas"]["SchedulerMessageDto"][];
            /** @description Name of the cluster. */
            name: string;
            /** @description The nodes that were selected; all when nothing was. */
            nodes: components["schemas"]["NodeDto"][];
            /** @description Of a status of the past (`at`, `version`); absent of the present. */
            past?: components["schemas"]["PastDto"];
            /** @description The cluster can not be planned or moved at the moment; absent when it can. */
            planningFailed?: components["schemas"]["PlanningFailureDto"];
            /** @description Absent until the first node joined. */
            quorum?: components["schemas"]["QuorumDto"];
            /** @description Why the next computation is due. */
            recompute?: string;
            /** @description The resources that were selected, with what is in them; all when nothing was. */
            resources: components["schemas"]["ResourceSummaryDto"][];
            /** @description What reduces safety. */
            safety: components["schemas"]["SafetyNoteDto"][];
            /** @description Nothing is under way, nothing is to be computed, and there is a worker that would do so. */
            settled: boolean;
            /** @description Everything is being stopped; the cluster is deleted when nothing runs. */
            stopping?: components["schemas"]["StoppingDto"];
            /** @description All tickets of the cluster, whatever was selected. */
            tickets: components["schemas"]["TicketDto"][];
            /** @description The transition in progress. */
            transition?: components["schemas"]["RunningTransitionDto"];
            /** @description Everything that is wrong, the worst first; empty when all is well. */
            troubles: components["schemas"]["TroubleDto"][];
            /** @description Version of the cluster that it is the status of. */
            version: number;
        };
        StepDto: {
            /**
             * @description The node is fenced.
             * @enum {boolean}
             */
            fencing?: true;
            /** @description Of a recurring monitor, ms. */
            intervalMs?: number;
            /** @description Name of the node on which it is done, or that is fenced. */
            node: string;
            /**
             * @description What is done, as in a graph.
             * @example start
             */
            operation: string;
            /** @description Return code, where it was made to fail. */
            rc?: number;
            /** @description Id of the resource that it is of; absent of what is done to a node. */
            resource?: string;
        };
        StoppingDto: {
            /** @description Resources that are active still. */
            active: string[];
            /** @description Nodes of which nobody knows what they run. */
            away: string[];
            /** @description Why, as it was asked for. */
            reason?: string;
            /**
             * Format: date-time
             * @description When that was asked for.
             */
            since: string;
            /** @description Everything that stands between the cluster and its deletion. */
            waitsFor: components["schemas"]["StoppingWaitDto"][];
        };
        StoppingWaitDto: {
            /**
             * @description What is waited for: a resource that is active, or a node of which nobody knows what it runs.
             * @enum {string}
             */
            kind: "resource" | "node";
            /** @description Its id or name. */
            name: string;
            /** @description Why it is waited for, and what to do, for people. */
            text: string;
        };
        /** @description <storage> */
        StorageElement: {
            /** @description <storage-mapping>, in order. */
            "storage-mapping"?: components["schemas"]["StorageMappingElement"][];
        };
        /** @description <storage-mapping> */
        StorageMappingElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute options. */
            options?: string;
            /** @description Attribute source-dir. */
            "source-dir"?: string;
            /** @description Attribute source-dir-root. */
            "source-dir-root"?: string;
            /** @description Attribute target-dir. */
            "target-dir": string;
        };
        StreamHeadDto: {
            /** @description Of that event, hexadecimal. */
            hash: string;
            /** @description A cluster's id, or `server/audit`. */
            streamId: string;
            /** @description Its number in the stream, from 1. */
            version: number;
        };
        SupposedChangeDto: {
            /** @description What should happen can not. */
            blocked: boolean;
            /**
             * @description What is done with it.
             * @enum {string}
             */
            change: "Start" | "Stop" | "Restart" | "Move" | "Recover" | "Reload" | "Migrate" | "Promote" | "Demote" | "Re-promote";
            /** @description The node that it leaves, or stays on. */
            from?: string;
            /** @description Its role afterwards. */
            nextRole: string;
            /** @description In the words of the scheduler. */
            reason?: string;
            /** @description Id of the primitive. */
            resource: string;
            /** @description Its role before. */
            role: string;
            /** @description The node where it will be. */
            to?: string;
        };
        SupposedPlanDto: {
            /** @description False when some action could never begin. */
            complete: boolean;
            /** @description Nodes that are fenced, or leave. */
            nodes: components["schemas"]["FencedNodeDto"][];
            /** @description What changes with resources. */
            resources: components["schemas"]["SupposedChangeDto"][];
            /** @description In the order in which they are carried out. */
            steps: components["schemas"]["StepDto"][];
        };
        SupposedResultBody: {
            /** @description Of a recurring monitor, ms; 0 when left out. */
            intervalMs?: number;
            /** @description Name of the node. */
            node: string;
            /**
             * @description As in a configuration.
             * @example monitor
             */
            operation: string;
            /** @description Return code (OCF): 0 is success, 7 not running, 1 a failure of no special kind. */
            rc: number;
            /**
             * @description Id of a primitive.
             * @example db
             */
            resource: string;
        };
        SupposedStatusDto: {
            /** @description The nodes then. */
            nodes: components["schemas"]["NodeSummaryDto"][];
            /** @description The resources then. */
            resources: components["schemas"]["ResourceSummaryDto"][];
        };
        /** @description <tag> */
        TagElement: {
            /** @description Attribute id. */
            id: string;
            /** @description <obj_ref>, in order. */
            obj_ref?: components["schemas"]["ObjRefElement"][];
        };
        /** @description <template> */
        TemplateElement: {
            /**
             * @description Attribute class.
             * @enum {string}
             */
            class?: "ocf" | "lsb" | "systemd" | "service" | "stonith" | "heartbeat";
            /** @description Attribute description. */
            description?: string;
            /** @description Attribute id. */
            id: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            instance_attributes?: {
                [key: string]: string;
            } | components["schemas"]["InstanceAttributesElement"][];
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            meta_attributes?: {
                [key: string]: string;
            } | components["schemas"]["MetaAttributesElement"][];
            /** @description The operations; a list of operations that refers to another one as a list of this. */
            operations?: components["schemas"]["OpElement"][] | components["schemas"]["OperationsElement"][];
            /** @description Attribute provider. */
            provider?: string;
            /** @description Attribute type. */
            type?: string;
            /** @description One plain set as a map from names to values; several sets, or sets with rules, scores or references, as a list. */
            utilization?: {
                [key: string]: string;
            } | components["schemas"]["UtilizationElement"][];
        };
        TestAlertBody: {
            /** @description The node that runs it; the first one that is there when left out. */
            node?: string;
            /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
            reason?: string;
        };
        /** @description An event of the type TicketChanged. */
        TicketChangedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Other attributes of it that were set, by name. */
                attributes?: {
                    [key: string]: string;
                };
                /** @description Names of other attributes that it has no more; absent: none. */
                cleared?: string[];
                /**
                 * @description Nothing is known of it any more: it is as if it had never been granted.
                 * @constant
                 */
                forgotten?: true;
                /** @description Whether it is granted from now on; absent: that did not change. */
                granted?: boolean;
                /** @description A person's. */
                reason?: string;
                /** @description Whether it is in standby from now on; absent: that did not change. */
                standby?: boolean;
                /** @description Id of the ticket. */
                ticket: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TicketChanged";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        TicketDto: {
            /** @description Further attributes, as the document had them that the cluster was made from. Absent when there are none. */
            attributes?: {
                [key: string]: string;
            };
            /** @description Ids of the constraints that depend on it. */
            constraints: string[];
            /** @description What depends on it may run here. */
            granted: boolean;
            /** @description Its id, as constraints name it. */
            id: string;
            /**
             * Format: date-time
             * @description Absent when it never was.
             */
            lastGranted?: string;
            /** @description What depends on it does not run, as if it were revoked, but in good order. */
            standby: boolean;
        };
        TicketListDto: {
            /** @description Tickets that constraints name, or of which something is known. */
            items: components["schemas"]["TicketDto"][];
        };
        TokenDto: {
            /**
             * Format: uuid
             * @description With the role `agent`: id of its cluster; absent otherwise.
             */
            clusterId?: string;
            /** @description Ids of the clusters that it is for; absent: all, and the server itself. */
            clusters?: string[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description Who made it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it ends by itself; absent: never.
             */
            expiresAt?: string;
            /**
             * Format: uuid
             * @description Its id, by which it is revoked; no secret.
             */
            id: string;
            /** @description Who or what it is for. */
            name: string;
            /** @description With the role `agent`: name of its node; absent otherwise. */
            node?: string;
            /**
             * @description What it may do.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin" | "agent";
            /** @description Whether it may be shown secrets in configurations; absent for agents. */
            seesSecrets?: boolean;
        };
        TokenListDto: {
            /** @description The tokens of this page. */
            items: components["schemas"]["TokenDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        TokenPreviewDto: {
            /**
             * Format: uuid
             * @description With the role `agent`: id of its cluster; absent otherwise.
             */
            clusterId?: string;
            /** @description Ids of the clusters that it is for; absent: all, and the server itself. */
            clusters?: string[];
            /**
             * @description Nothing was made or revoked.
             * @enum {boolean}
             */
            dryRun: true;
            /**
             * Format: date-time
             * @description When it ends by itself; absent: never.
             */
            expiresAt?: string;
            /** @description Who or what it is for. */
            name: string;
            /** @description With the role `agent`: name of its node; absent otherwise. */
            node?: string;
            /**
             * @description What it may do.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin" | "agent";
            /** @description Whether it may be shown secrets in configurations; absent for agents. */
            seesSecrets?: boolean;
        };
        ToolRequest: {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "set-section-value";
            /** @description Its name. */
            name: string;
            /**
             * @description Cluster options, or defaults.
             * @enum {string}
             */
            section: "crm_config" | "rsc_defaults" | "op_defaults";
            /** @description Id of the very set that is meant; absent: where it stands, or the set that `crm_attribute` makes. */
            set?: string;
            /** @description null takes it away. */
            value: string | null;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "set-resource-value";
            /**
             * @description What of the resource.
             * @enum {string}
             */
            kind: "instance_attributes" | "meta_attributes" | "utilization";
            /** @description Its name. */
            name: string;
            /** @description Id of the resource. */
            resource: string;
            /** @description null takes it away. */
            value: string | null;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "set-node-utilization";
            /** @description Its name. */
            name: string;
            /** @description Name of the node. */
            node: string;
            /** @description null takes it away. */
            value: string | null;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "set-node-attribute";
            /**
             * @description Until when.
             * @enum {string}
             */
            lifetime: "forever" | "reboot";
            /** @description Its name. */
            name: string;
            /** @description Name of the node. */
            node: string;
            /** @description null takes it away. */
            value: string | null;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "change-document";
            /** @description In this order, all or none. */
            changes: {
                /**
                 * @description With `modify`: what is not there is created.
                 * @enum {boolean}
                 */
                allowCreate?: true;
                /**
                 * @description Elements are found by their name and id; `delete`: the first of that name that has all attributes that are given; `patch`: `xml` is a `<diff format="2">`, as `crm_diff` writes it, and all that it finds must be there.
                 * @enum {string}
                 */
                operation: "create" | "modify" | "replace" | "delete" | "patch";
                /** @description Only there: the name of a section of the configuration, or the id of an element. What is created becomes its child. */
                within?: string;
                /** @description The element. */
                xml: string;
            }[];
            /**
             * @description Also with what is surely not meant; recorded.
             * @enum {boolean}
             */
            force?: true;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "ban";
            /** @description ISO 8601 duration after which it ends; absent: never. */
            lifetime?: string;
            /** @description Name of the node. */
            node?: string;
            /**
             * @description Its promoted role only.
             * @enum {boolean}
             */
            promoted?: true;
            /** @description Id of the resource. */
            resource: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "move";
            /** @description ISO 8601 duration after which it ends; absent: never. */
            lifetime?: string;
            /** @description Name of the node. */
            node?: string;
            /**
             * @description Its promoted role only.
             * @enum {boolean}
             */
            promoted?: true;
            /** @description Id of the resource. */
            resource: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "begin-restart";
            /** @description Id of the resource. */
            resource: string;
            /** @description After how many seconds it may start again in any case. */
            seconds: number;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "end-restart";
            /** @description Id of the resource. */
            resource: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "clear";
            /**
             * @description Only what has ended.
             * @enum {boolean}
             */
            expired?: true;
            /** @description Name of the node. */
            node?: string;
            /** @description Id of the resource. */
            resource: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "clean-up";
            /** @description Of that operation, at this interval only, ms. */
            intervalMs?: number;
            /** @description Name of the node. */
            node?: string;
            /** @description What failed in this operation only. */
            operation?: string;
            /** @description Id of the resource. */
            resource?: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "refresh";
            /** @description Name of the node. */
            node?: string;
            /** @description Id of the resource. */
            resource?: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "fail";
            /** @description Name of the node. */
            node: string;
            /** @description Id of the resource. */
            resource: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "change-ticket";
            /** @description Others, by name; null takes one away. */
            attributes?: {
                [key: string]: string | null;
            };
            /** @description Whether it is granted. */
            granted?: boolean;
            /** @description Whether it is in standby. */
            standby?: boolean;
            /** @description Id of the ticket. */
            ticket: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "forget-ticket";
            /** @description Id of the ticket. */
            ticket: string;
        } | {
            /**
             * @description Absent: as the option `fencing-action` has it.
             * @enum {string}
             */
            action?: "off" | "reboot";
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "fence";
            /** @description Name of the node. */
            node: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "power-on";
            /** @description Name of the node. */
            node: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "confirm-down";
            /** @description Name of the node. */
            node: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "clear-fencing-history";
            /** @description Of its fencing only; absent: of all. */
            node?: string;
        } | {
            /**
             * @description What is asked for.
             * @enum {string}
             */
            ask: "remove-node";
            /** @description Name of the node. */
            node: string;
        };
        /** @description An event of the type TransitionAborted. */
        TransitionAbortedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Number of the transition. */
                number: number;
                /** @description Why nothing new of it is begun any more. */
                reason: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TransitionAborted";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        /** @description An event of the type TransitionCompleted. */
        TransitionCompletedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Actions that were done, and ended as expected. */
                completed: number;
                /** @description Actions that were handed out, and did not end as expected, or of which no answer came. */
                failed: number;
                /** @description Number of the transition. */
                number: number;
                /**
                 * @description `aborted`: it ended before all was done.
                 * @enum {string}
                 */
                outcome: "complete" | "aborted";
                /** @description Actions that were never begun. */
                skipped: number;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TransitionCompleted";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        TransitionCountsDto: {
            /** @description Without fencing, which `fencing` counts: the status counts both together. */
            actions: number;
            /** @description Nodes that are to be fenced. */
            fencing: number;
            /** @description Actions that nobody carries out: they order others. */
            pseudo: number;
        };
        TransitionDetailDto: {
            /** @description Why it was ended before all was done; absent when it was not. */
            abortReason?: string;
            /** @description How many actions were planned. */
            counts: components["schemas"]["TransitionCountsDto"];
            /** @description sha256 of the graph's canonical JSON. */
            digest: string;
            /**
             * Format: date-time
             * @description When it came to an end; absent while it runs.
             */
            endedAt?: string;
            /** @description The transition graph. */
            graph: {
                [key: string]: unknown;
            };
            /** @description Version of the cluster from which it was computed. */
            inputVersion: number;
            /** @description Effective time, epoch seconds. */
            now: number;
            /** @description Counts from 1 in each cluster. */
            number: number;
            /** @description How many actions were done, never begun and failed; absent while it runs. */
            outcome?: components["schemas"]["TransitionOutcomeDto"];
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            plannedAt: string;
            /** @description Version at which it was recorded. */
            plannedVersion: number;
            /** @description While it is current: the actions that have ended. */
            results?: components["schemas"]["ActionResultDto"][];
            /** @description What it was planned to bring about, computed again from the log. */
            schedule?: components["schemas"]["ScheduleDto"];
            /**
             * @description `aborting`: nothing new is begun, what is under way is waited for; `aborted`: it ended before all was done.
             * @enum {string}
             */
            status: "running" | "aborting" | "complete" | "aborted";
            /** @description Of one that ended before all was done: what became of each line of `summary`; `open`: nobody reported an end of it. Absent for others, and for very long ones. */
            steps?: ("done" | "failed" | "open")[];
            /** @description One line for each action: what and why. */
            summary: string[];
            /** @description What made it necessary. */
            trigger: string;
        };
        TransitionDto: {
            /** @description Why it was ended before all was done; absent when it was not. */
            abortReason?: string;
            /** @description How many actions were planned. */
            counts: components["schemas"]["TransitionCountsDto"];
            /** @description sha256 of the graph's canonical JSON. */
            digest: string;
            /**
             * Format: date-time
             * @description When it came to an end; absent while it runs.
             */
            endedAt?: string;
            /** @description Version of the cluster from which it was computed. */
            inputVersion: number;
            /** @description Effective time, epoch seconds. */
            now: number;
            /** @description Counts from 1 in each cluster. */
            number: number;
            /** @description How many actions were done, never begun and failed; absent while it runs. */
            outcome?: components["schemas"]["TransitionOutcomeDto"];
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            plannedAt: string;
            /** @description Version at which it was recorded. */
            plannedVersion: number;
            /**
             * @description `aborting`: nothing new is begun, what is under way is waited for; `aborted`: it ended before all was done.
             * @enum {string}
             */
            status: "running" | "aborting" | "complete" | "aborted";
            /** @description One line for each action: what and why. */
            summary: string[];
            /** @description What made it necessary. */
            trigger: string;
        };
        TransitionExplanationDto: {
            /** @description Why actions are planned, or needed and not possible; those that were asked for. */
            actions: components["schemas"]["ActionExplanationDto"][];
            /**
             * Format: uuid
             * @description Id of the cluster that is explained.
             */
            clusterId: string;
            /** @description So many more were left out to keep the answer short: name resources or a node. */
            moreActions?: number;
            /** @description Effective time, epoch seconds. */
            now: number;
            /** @description The transition that is explained. */
            number: number;
            /** @description Where each primitive goes, and why; those that were asked for. */
            placements: components["schemas"]["PlacementDto"][];
            /** @description Whether computing again came to the recorded graph; if not, another version of the scheduler planned it. */
            same: boolean;
            /** @description Version of the cluster that it is computed from. */
            version: number;
        };
        TransitionListDto: {
            /** @description The transitions of this page, in the order that was asked for. */
            items: components["schemas"]["TransitionDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        TransitionOutcomeDto: {
            /** @description Actions that were done, and ended as expected. */
            completed: number;
            /** @description Actions that were handed out, and did not end as expected, or of which no answer came. */
            failed: number;
            /** @description Actions that were never begun. */
            skipped: number;
        };
        /** @description An event of the type TransitionPlanned. */
        TransitionPlannedEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /** @description Correlation ids of other requests and reports that it answers, too, besides the one that it follows from and whose id it has: of at most 100. */
                alsoAnswers?: string[];
                /** @description How many actions of which kind the graph has. */
                counts: {
                    /** @description Operations of resources, on nodes. */
                    actions: number;
                    /** @description Nodes that are to be fenced. */
                    fencing: number;
                    /** @description Actions that nobody carries out: they order others. */
                    pseudo: number;
                };
                /** @description sha256 of the canonical JSON of the graph. */
                digest: string;
                /** @description The stream version whose fold was scheduled. */
                inputVersion: number;
                /** @description Its live migrations; absent: none, and in plans of before this was recorded. */
                migrations?: components["schemas"]["PlannedMigration"][];
                /** @description Effective time, epoch seconds. */
                now: number;
                /** @description Counts from 1 in each cluster. */
                number: number;
                /** @description Epoch seconds of the next recheck, if any. */
                recheckBy?: number;
                /** @description The scheduler that planned it. */
                schedulerVersion: string;
                /** @description One line for each resource action: what and why. */
                summary: string[];
                /** @description What made the recomputation necessary. */
                trigger: string;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "TransitionPlanned";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        TriedOperationDto: {
            /** @description Names it in the event log. */
            debugId: string;
            /** @description How long it took, ms. */
            execMs?: number;
            /** @description The resource agent's reason. */
            exitReason?: string;
            /** @description The last 4,000 characters that it printed, to stdout and to stderr. */
            output?: string;
            /** @description How long it waited for its turn on the node, ms. */
            queueMs?: number;
            /** @description Return code of the resource agent. */
            rc?: number;
            /**
             * @description `running`: it goes on, or waits for its turn; DebugOperationEnded will say what came of it. `unknown`: the node was lost or its agent began anew meanwhile, and nobody knows how far it came; the resource is probed.
             * @enum {string}
             */
            state: "ended" | "running" | "never-begun" | "unknown";
            /**
             * @description With `ended`: how the execution ended; `done`, or why it has no return code of its own.
             * @example done
             */
            status?: string;
        };
        TroubleDto: {
            /**
             * @description Stable; for programs.
             * @example no-quorum
             */
            code: string;
            /**
             * @description `bad`: services are down or in danger; `warn`: somebody should look.
             * @enum {string}
             */
            level: "bad" | "warn";
            /**
             * @description For people.
             * @example no quorum: 1 of 3 votes
             */
            text: string;
        };
        /** @description Digests of the devices that unfence, as the scheduler writes them (specification 02 §13.7): `<device>:<type>:<digest>,` each. */
        UnfencingDigests: {
            /** @description Of all parameters of each device. */
            all: string;
            /** @description Of those that are not secret. */
            secure: string;
        };
        UpgradeChangeDto: {
            /**
             * @description Name of the XML element.
             * @example rsc_order
             */
            element: string;
            /** @description The element's own id; absent where it has none. */
            id?: string;
            /**
             * @description `rewritten`: the same is said in the newer syntax; `dropped`: it is not said any more; `check`: what counts now may not be what was meant.
             * @enum {string}
             */
            kind: "rewritten" | "dropped" | "check";
            /** @description Line of its start tag in the document, from 1. */
            line?: number;
            /**
             * @description What was there, and what is there now; for people.
             * @example from is rsc now
             */
            message: string;
            /**
             * @description Of the XML element in the document as it was sent.
             * @example /cib/configuration/constraints/rsc_order[@id='o1']
             */
            path: string;
        };
        UpgradeDto: {
            /** @description How many changes there are. */
            count: number;
            /** @description The first two hundred: what to check before what was dropped, what was rewritten last. `systole cib convert` shows them all. */
            items: components["schemas"]["UpgradeChangeDto"][];
        };
        UtilizationDto: {
            /**
             * @description What is used up.
             * @example cpu
             */
            name: string;
            /**
             * @description A whole number.
             * @example 4
             */
            value: string;
        };
        /** @description <utilization> */
        UtilizationElement: {
            /** @description Attribute id. */
            id?: string;
            /** @description Attribute id-ref. */
            "id-ref"?: string;
            /** @description <nvpair>, in order. */
            nvpair?: components["schemas"]["NvpairElement"][];
            /** @description <rule>, in order. */
            rule?: components["schemas"]["RuleElement"][];
            /** @description Attribute score. */
            score?: string;
        };
        UtilizationListDto: {
            /** @description What the node has of each. */
            items: components["schemas"]["UtilizationDto"][];
        };
        /** @description What the agent of a node said of its watchdog: from now on the server counts on its resetting the machine so long after the agent can not renew its lease any more; or it does not any more, as the watchdog is gone or the agent may be told to do something else. */
        WatchdogToldEvent: {
            /**
             * @description Who: `user:alice`, `agent:node1`, `worker`.
             * @example user:alice
             */
            actor: string;
            /** @description Which event it followed from; absent: none. */
            causationId?: string;
            /**
             * @description By which command.
             * @example set-standby
             */
            command: string;
            /** @description What it followed from: the X-Request-Id of the request. */
            correlationId: string;
            /** @description The particulars. */
            data: {
                /**
                 * @description False: that there is one is known from now on; nobody counts on it before the next poll that says that it is armed.
                 * @constant
                 */
                armed?: false;
                /** @description Which joining of an agent as this node it is of, from 1. */
                incarnation: number;
                /** @description Name of the node. */
                node: string;
                /** @description Number of the poll that said so; absent: the agent does not count its polls. */
                seq?: number;
                /** @description After how long without being fed it resets the machine, ms; absent: nobody counts on it any more. */
                timeoutMs?: number;
            };
            /** @description Its place among all events of the server. */
            globalPosition: number;
            /** @description sha256 over the previous hash and this event, hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When the log dated it, by the clock of the database.
             */
            occurredAt: string;
            /** @description Resources, nodes, constraints that it concerns. */
            subjects: string[];
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "WatchdogTold";
            /** @description Its place in the cluster's stream; also the id in the event stream. */
            version: number;
        };
        WebhookAskPreviewDto: {
            /**
             * @description It was only tried: nothing was changed.
             * @enum {boolean}
             */
            dryRun: true;
        };
        WebhookBehindDto: {
            /** @description Events that are for it and were not delivered yet, as far as it was looked. */
            events: number;
            /** @description It was not looked up to the end of the log: there may be more. */
            more: boolean;
            /** @description Age of the oldest of these events, ms; 0: there is none. */
            ms: number;
        };
        WebhookDeliveryDto: {
            /** @description Beginning of the answer's body. */
            answer?: string;
            /**
             * Format: date-time
             * @description When it was made, or asked for.
             */
            at: string;
            /** @description The how manieth attempt with this event in a row it was; 0: none yet. */
            attempt: number;
            /** @description How long it took, ms. */
            durationMs?: number;
            /** @description What went wrong. */
            error?: string;
            /** @description Its type. */
            eventType?: string;
            /**
             * Format: uuid
             * @description Of the delivery.
             */
            id: string;
            /**
             * @description `event`: as it came; the others somebody asked for.
             * @enum {string}
             */
            kind: "event" | "test" | "redelivery";
            /** @description `webhook-id` of the message: the same for each attempt with one event. */
            messageId?: string;
            /**
             * @description `waiting`: a worker is to make it.
             * @enum {string}
             */
            outcome: "waiting" | "delivered" | "failed";
            /** @description Global position of the event. */
            position?: number;
            /** @description Status of the answer; absent: there was none. */
            status?: number;
            /** @description Stream of the event. */
            streamId?: string;
            /** @description Its version there. */
            version?: number;
        };
        WebhookDeliveryListDto: {
            /** @description Newest first. */
            items: components["schemas"]["WebhookDeliveryDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        WebhookDto: {
            /** @description Whose doing events have to be; absent: anybody. */
            actor?: string;
            /** @description How often the next event was tried in vain. */
            attempts: number;
            /** @description Whether entries of the server's own audit are sent, too. */
            audit: boolean;
            /** @description PEM of the authorities by which the receiver is verified; absent: those that are usually trusted. */
            authorities?: string;
            /** @description How far it is behind the log; absent where the log has not the place that it has got to, and from the answers to writes. Of one that is disabled: what it would have to catch up with. */
            behind?: components["schemas"]["WebhookBehindDto"];
            /** @description Ids of the clusters whose events are sent; absent: of all. */
            clusters?: string[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description Who made it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When an event was delivered last.
             */
            deliveredAt?: string;
            /** @description Why the server disabled it; absent where a person did. */
            disabledReason?: string;
            /** @description Whether it is delivered to. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when nothing could be delivered.
             */
            failingSince?: string;
            /**
             * Format: uuid
             * @description Of the webhook.
             */
            id: string;
            /** @description What went wrong with the last attempt; absent: nothing. */
            lastError?: string;
            /** @description What it is called. */
            name: string;
            /**
             * Format: date-time
             * @description When it is tried again; absent: nothing failed.
             */
            nextAttemptAt?: string;
            /** @description Global position of the event up to which everything is done. */
            position: number;
            /**
             * Format: date-time
             * @description Until when the secret before the present one signs, too.
             */
            previousSecretUntil?: string;
            /**
             * @description `wrong`: only what tells of something wrong: failed operations, lost nodes, fencing that failed, lost quorum, refused requests.
             * @enum {string}
             */
            severity: "any" | "wrong";
            /**
             * @description `failing`: the next event could not be delivered yet, and is tried again.
             * @enum {string}
             */
            state: "delivering" | "failing" | "disabled";
            /** @description What events have to concern; absent: anything. */
            subjects?: string[];
            /** @description Types of events; absent: all. */
            types?: string[];
            /** @description Where messages are posted to. */
            url: string;
        };
        WebhookListDto: {
            /** @description In the order of their names. */
            items: components["schemas"]["WebhookDto"][];
            /** @description Cursor of the next page; absent on the last. */
            next?: string;
        };
        WebhookPreviewDto: {
            /** @description Whose doing events have to be; absent: anybody. */
            actor?: string;
            /** @description Whether entries of the server's own audit are sent, too. */
            audit: boolean;
            /** @description PEM of the authorities by which the receiver is verified; absent: those that are usually trusted. */
            authorities?: string;
            /** @description Ids of the clusters whose events are sent; absent: of all. */
            clusters?: string[];
            /**
             * @description It was only tried: nothing was changed.
             * @enum {boolean}
             */
            dryRun: true;
            /** @description Whether it is delivered to. */
            enabled: boolean;
            /** @description What it is called. */
            name: string;
            /**
             * @description `wrong`: only what tells of something wrong: failed operations, lost nodes, fencing that failed, lost quorum, refused requests.
             * @enum {string}
             */
            severity: "any" | "wrong";
            /** @description What events have to concern; absent: anything. */
            subjects?: string[];
            /** @description Types of events; absent: all. */
            types?: string[];
            /** @description Where messages are posted to. */
            url: string;
        };
        WebhookWithSecretDto: {
            /** @description Whose doing events have to be; absent: anybody. */
            actor?: string;
            /** @description How often the next event was tried in vain. */
            attempts: number;
            /** @description Whether entries of the server's own audit are sent, too. */
            audit: boolean;
            /** @description PEM of the authorities by which the receiver is verified; absent: those that are usually trusted. */
            authorities?: string;
            /** @description How far it is behind the log; absent where the log has not the place that it has got to, and from the answers to writes. Of one that is disabled: what it would have to catch up with. */
            behind?: components["schemas"]["WebhookBehindDto"];
            /** @description Ids of the clusters whose events are sent; absent: of all. */
            clusters?: string[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /** @description Who made it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When an event was delivered last.
             */
            deliveredAt?: string;
            /** @description Why the server disabled it; absent where a person did. */
            disabledReason?: string;
            /** @description Whether it is delivered to. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when nothing could be delivered.
             */
            failingSince?: string;
            /**
             * Format: uuid
             * @description Of the webhook.
             */
            id: string;
            /** @description What went wrong with the last attempt; absent: nothing. */
            lastError?: string;
            /** @description What it is called. */
            name: string;
            /**
             * Format: date-time
             * @description When it is tried again; absent: nothing failed.
             */
            nextAttemptAt?: string;
            /** @description Global position of the event up to which everything is done. */
            position: number;
            /**
             * Format: date-time
             * @description Until when the secret before the present one signs, too.
             */
            previousSecretUntil?: string;
            /** @description With which its messages are signed (Standard Webhooks, `whsec_…`); shown this once. Absent from the answer to a repeated request. */
            secret?: string;
            /**
             * @description `wrong`: only what tells of something wrong: failed operations, lost nodes, fencing that failed, lost quorum, refused requests.
             * @enum {string}
             */
            severity: "any" | "wrong";
            /**
             * @description `failing`: the next event could not be delivered yet, and is tried again.
             * @enum {string}
             */
            state: "delivering" | "failing" | "disabled";
            /** @description What events have to concern; absent: anything. */
            subjects?: string[];
            /** @description Types of events; absent: all. */
            types?: string[];
            /** @description Where messages are posted to. */
            url: string;
        };
        WhatIfBody: {
            /** @description Edits of the configuration, in their order, as in a batch. */
            edits?: components["schemas"]["ConfigurationEdit"][];
            /** @description How operations end each time that they are carried out; all others succeed. */
            failures?: components["schemas"]["SupposedResultBody"][];
            /** @description Nodes that leave in peace. */
            nodesDown?: string[];
            /** @description Nodes that are lost: they have to be fenced, where fencing is enabled. */
            nodesLost?: string[];
            /** @description Nodes that come online. */
            nodesUp?: string[];
            /** @description Whether there is quorum; as it is when left out, whatever becomes of nodes. */
            quorum?: boolean;
            /** @description Results that are reported before anything is planned. */
            results?: components["schemas"]["SupposedResultBody"][];
            /** @description … taken out of standby. */
            ticketsActive?: string[];
            /** @description Ids of tickets that are granted. */
            ticketsGranted?: string[];
            /** @description … revoked. */
            ticketsRevoked?: string[];
            /** @description … set to standby. */
            ticketsStandby?: string[];
        };
        WhatIfDto: {
            /** @description What becomes of the resources that ran. */
            affected: components["schemas"]["AffectedResourceDto"][];
            /** @description After the last plan. */
            after: components["schemas"]["SupposedStatusDto"];
            /** @description Before anything happens; with what was edited. */
            before: components["schemas"]["SupposedStatusDto"];
            /** @description What happens, as it was understood, for people. */
            happens: string[];
            /** @description Effective time, epoch seconds. */
            now: number;
            /** @description What is planned and carried out, plan by plan, until the cluster rests; 6 at most. None when nothing would be done. */
            plans: components["schemas"]["SupposedPlanDto"][];
            /** @description Nothing is left to be done after them. */
            rests: boolean;
        };
        WriteResultDto: {
            /** @description Changes of the configuration. */
            changes: components["schemas"]["ElementChangeDto"][];
            /** @description Nothing was changed, only computed. */
            dryRun: boolean;
            /** @description Mark of the epoch of the log, which belongs to the version: the ETag is `"<version>-<epoch>"`. Absent in the first epoch. */
            epoch?: string;
            /** @description What was (or would be) recorded; empty when everything is as wished already. */
            events: components["schemas"]["NewEventDto"][];
            /** @description Of a write of configuration: what of it does not do what it seems to say, and what is accepted and not done; absent when there is nothing to say. */
            findings?: components["schemas"]["FindingsDto"];
            /** @description Of a dry run: the schedule that would follow. */
            schedule?: components["schemas"]["ScheduleDto"];
            /** @description With `wait=settled`. */
            settled?: components["schemas"]["SettledDto"];
            /** @description Of a debug operation: what came of it. */
            tried?: components["schemas"]["TriedOperationDto"];
            /** @description Of a write of a whole document: what was changed to bring it to the current schema; absent when nothing was. */
            upgrade?: components["schemas"]["UpgradeDto"];
            /** @description The cluster's version after the write; of a dry run, the version that was judged. */
            version: number;
            /** @description What the command may not have been meant to do, or does not do, for people; absent when there is nothing to say. */
            warnings?: string[];
        };
    };
    responses: {
        /** @description Bad request */
        BadRequest: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Conflict */
        Conflict: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                "Retry-After": components["headers"]["RetryAfter"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Content too large */
        ContentTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Gone */
        Gone: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Not acceptable */
        NotAcceptable: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Not allowed */
        NotAllowed: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Not authenticated */
        NotAuthenticated: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Not found */
        NotFound: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Not implemented */
        NotImplemented: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Precondition failed */
        PreconditionFailed: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Precondition required */
        PreconditionRequired: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Service unavailable */
        ServiceUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Too many requests */
        TooManyRequests: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Unprocessable content */
        UnprocessableContent: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Unsupported media type */
        UnsupportedMediaType: {
            headers: {
                Accept: components["headers"]["Accept"];
                "Accept-Patch": components["headers"]["AcceptPatch"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Upgrade required */
        UpgradeRequired: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description `no`: proxies are to pass on what is streamed at once. */
        AccelBuffering: string;
        /** @description Media types of bodies that are taken there (RFC 9110 §12.5.1). */
        Accept: string;
        /** @description Kinds of patches that are taken there (RFC 5789); absent where it is about another method. */
        AcceptPatch: string;
        /** @description How to authenticate (RFC 6750). */
        Authenticate: string;
        /** @description Whether the answer may be kept: `private, no-cache` for reads (by who asked, who asks each time whether it still holds); `no-store` for writes, refusals, exports, and what holds secrets. */
        CacheControl: string;
        /** @description The id that the client gave its request with X-Request-Id; absent where it gave none. */
        ClientRequestId: string;
        /** @description The name under which to keep the file. */
        ContentDisposition: string;
        /** @description The version that the answer is of, or that the request was judged against, and the form of a read; that of any form is good for If-Match. Absent where no version of a cluster is told of. */
        ETag: string;
        /** @description `true`: the answer to an earlier request with the same Idempotency-Key; absent: this one was carried out. */
        IdempotencyReplayed: string;
        /** @description Where that is which was made. */
        Location: string;
        /** @description Id of the request, made by the server: the correlation id of all events that follow from it, and what the logs have it under. */
        RequestId: string;
        /** @description After how many seconds to ask again; absent where that would not help. */
        RetryAfter: number;
        /** @description By which headers of the request answers differ; absent where they do not. */
        Vary: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details: Record<string, never>;
                        /** @enum {string} */
                        status: "ok" | "degraded";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readyForOperators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details: Record<string, never>;
                        /** @enum {string} */
                        status: "ok" | "degraded";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentDescribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentDescriptionRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentAlertsRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAlertsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentReadAttributes: {
        parameters: {
            query?: {
                /** @description Those of this name; without it all. */
                name?: string;
                /** @description Of this node, by its name or id; without it those of all. */
                node?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAttributesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentAttributesRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentCib: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentFencing: {
        parameters: {
            query?: {
                /** @description Of this node, by its name, with the devices that can fence it; without it that of all. A node that was removed has a history, too. */
                node?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FencingAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentGuestToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentGuestTokenRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentGuestTokenAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentInstalledAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentInstalledAgentsRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentInstalledAgentsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentJoin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentJoinRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentJoinAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            426: components["responses"]["UpgradeRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentLeave: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentLeaveRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentPoll: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPollRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPollAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentPrivateAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPrivateAttributesRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentResults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentResultsRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResultsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentShutdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentIncarnationRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    agentToolRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentToolRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentToolAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Who; e.g. `user:alice`, `agent:node1`, `worker`. */
                actor?: string;
                /** @description What concerns this cluster: its id or name, also of one that was deleted. */
                cluster?: string;
                /** @description By which command; e.g. `set-standby`. */
                command?: string;
                /** @description What followed from one request: its X-Request-Id. */
                correlation?: string;
                /** @description `next` of the previous page, with the same conditions and order. */
                cursor?: string;
                /** @description Also the events of all clusters, deleted ones included, and the statements that were signed of the log: everything that somebody did. When left out the server's own entries. */
                everything?: boolean;
                /** @description At or after. */
                from?: string;
                /** @description Entries on a page; 100 when left out. */
                limit?: number;
                /** @description Oldest first (`asc`, when left out) or newest first. */
                order?: "asc" | "desc";
                /** @description At or after: a date and time, or an age before now (`90s`, `15m`, `2h`, `7d`, `1w`). What counts is when the log dated the event, by the clock of the database; the dates of a cluster never go back, so after that clock was set back events bear the date of the one before until it has caught up. */
                since?: string;
                /** @description Names this: the id of a token, an address, a node, a resource; given several times, all of them. */
                subject?: string[];
                /** @description All of these words stand in the reason that was given, whatever their case. */
                text?: string;
                /** @description Before. */
                to?: string;
                /** @description One of these types; several separated by commas, or given several times. The server's own are ServerStarted, ServerStopped, ClusterAdded, ClusterRemoved, TokenIssued, TokenWithdrawn, WebhookCreated, WebhookChanged, WebhookDeleted, WebhookDisabled, KeptRowsPurged, RequestCarriedOut, RequestRefused, ConfigurationRead, SecretsRead, EntriesLeftOut; HeadsSigned and those of clusters are for `everything`. */
                type?: ("ServerStarted" | "ServerStopped" | "ClusterAdded" | "ClusterRemoved" | "TokenIssued" | "TokenWithdrawn" | "WebhookCreated" | "WebhookChanged" | "WebhookDeleted" | "WebhookDisabled" | "KeptRowsPurged" | "RequestCarriedOut" | "RequestRefused" | "ConfigurationRead" | "SecretsRead" | "EntriesLeftOut" | "HeadsSigned" | "ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
                /** @description Before: a date and time, or an age. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description Who; e.g. `user:alice`, `agent:node1`, `worker`. */
                actor?: string;
                /** @description What concerns this cluster: its id or name, also of one that was deleted. */
                cluster?: string;
                /** @description By which command; e.g. `set-standby`. */
                command?: string;
                /** @description What followed from one request: its X-Request-Id. */
                correlation?: string;
                /** @description Also the events of all clusters, deleted ones included, and the statements that were signed of the log: everything that somebody did. When left out the server's own entries. */
                everything?: boolean;
                /** @description When left out the header Accept says it; NDJSON when that leaves it open. */
                format?: "ndjson" | "csv";
                /** @description At or after. */
                from?: string;
                /** @description Oldest first (`asc`, when left out) or newest first. */
                order?: "asc" | "desc";
                /** @description At or after: a date and time, or an age before now (`90s`, `15m`, `2h`, `7d`, `1w`). What counts is when the log dated the event, by the clock of the database; the dates of a cluster never go back, so after that clock was set back events bear the date of the one before until it has caught up. */
                since?: string;
                /** @description Names this: the id of a token, an address, a node, a resource; given several times, all of them. */
                subject?: string[];
                /** @description All of these words stand in the reason that was given, whatever their case. */
                text?: string;
                /** @description Before. */
                to?: string;
                /** @description One of these types; several separated by commas, or given several times. The server's own are ServerStarted, ServerStopped, ClusterAdded, ClusterRemoved, TokenIssued, TokenWithdrawn, WebhookCreated, WebhookChanged, WebhookDeleted, WebhookDisabled, KeptRowsPurged, RequestCarriedOut, RequestRefused, ConfigurationRead, SecretsRead, EntriesLeftOut; HeadsSigned and those of clusters are for `everything`. */
                type?: ("ServerStarted" | "ServerStopped" | "ClusterAdded" | "ClusterRemoved" | "TokenIssued" | "TokenWithdrawn" | "WebhookCreated" | "WebhookChanged" | "WebhookDeleted" | "WebhookDisabled" | "KeptRowsPurged" | "RequestCarriedOut" | "RequestRefused" | "ConfigurationRead" | "SecretsRead" | "EntriesLeftOut" | "HeadsSigned" | "ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
                /** @description Before: a date and time, or an age. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description AuditEntryDto as JSON, one a line; or CSV with a header. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listClusters: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCluster: {
        parameters: {
            query?: {
                /** @description Make nothing; answer with the events and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClusterBody"];
            };
        };
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            /** @description It was made. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCluster: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description Stop everything first: the cluster is deleted when nothing runs any more. Status says meanwhile what is waited for, and `cancel-deletion` calls it off. When left out, what runs keeps running. */
                stop?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAlertRuns: {
        parameters: {
            query?: {
                /** @description Of this alert only. */
                alert?: string;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
                /** @description Those that stand so only; all when left out. */
                outcome?: ("waiting" | "given" | "done" | "failed" | "timeout" | "not-run")[];
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRunListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testAlert: {
        parameters: {
            query?: {
                /** @description Run nothing; only say whether it could be asked for. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
            };
            path: {
                /** @description Id of the alert. */
                alert: string;
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestAlertBody"];
            };
        };
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTestDto"];
                };
            };
            /** @description Error */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTestDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCib: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description Show the values of secrets in the place of references to them, as far as the server keeps them. Needs the right to see secrets, and each read is in the audit. */
                secrets?: "clear";
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CibElementDto"];
                    "application/xml": string;
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceCib: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        /** @description A CIB as XML, or the same as JSON (CibElementDto). */
        requestBody: {
            content: {
                "application/json": string | components["schemas"]["CibElementDto"];
                "application/xml": string | components["schemas"]["CibElementDto"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelClusterDeletion: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelDeletionBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cleanUpResources: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OnNodeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    clearFencingHistory: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FencingHistoryBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    maintainNodes: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NodesBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    maintainCluster: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refreshResources: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OnNodeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    relocateResources: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    standbyNodes: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NodesBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startAllResources: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    stopAllResources: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    requestByTool: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorToolRequest"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unmaintainNodes: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NodesBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unmaintainCluster: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unstandbyNodes: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NodesBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConfiguration: {
        parameters: {
            query?: {
                /** @description The configuration as it was at this version of the cluster, date and time, or age, e.g. `2h`; the newest when left out. */
                at?: string;
                /** @description Show the values of secrets in the place of references to them, as far as the server keeps them. Needs the right to see secrets, and each read is in the audit. */
                secrets?: "clear";
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Configuration"];
                    "application/xml": string;
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceConfiguration: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Configuration"];
                "application/xml": components["schemas"]["Configuration"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchConfiguration: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396), or a JSON Patch (RFC 6902), as its Content-Type says; as application/json it is a merge patch. */
        requestBody: {
            content: {
                "application/json-patch+json": components["schemas"]["JsonPatch"];
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listElements: {
        parameters: {
            query?: {
                /** @description The configuration as it was at this version of the cluster, date and time, or age, e.g. `2h`; the newest when left out. */
                at?: string;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Elements of these names only; several separated by commas, or given several times. There are primitive, group, clone, bundle, template, rsc_location, rsc_colocation, rsc_order, rsc_ticket, node, tag, fencing-level, alert, acl_role, acl_target, acl_group. */
                element?: ("primitive" | "group" | "clone" | "bundle" | "template" | "rsc_location" | "rsc_colocation" | "rsc_order" | "rsc_ticket" | "node" | "tag" | "fencing-level" | "alert" | "acl_role" | "acl_target" | "acl_group")[];
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
                /** @description Show the values of secrets in the place of references to them, as far as the server keeps them. Needs the right to see secrets, and each read is in the audit. */
                secrets?: "clear";
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description What kind of elements. */
                collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ElementListDto"];
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createElement: {
        parameters: {
            query?: {
                /** @description Id of the sibling that it goes after. */
                after?: string;
                /** @description Id of the sibling that it goes before; at the end when left out. */
                before?: string;
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description What kind of elements. */
                collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigurationElement"];
                "application/xml": components["schemas"]["ConfigurationElement"];
            };
        };
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            /** @description It was made. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getElement: {
        parameters: {
            query?: {
                /** @description The configuration as it was at this version of the cluster, date and time, or age, e.g. `2h`; the newest when left out. */
                at?: string;
                /** @description Show the values of secrets in the place of references to them, as far as the server keeps them. Needs the right to see secrets, and each read is in the audit. */
                secrets?: "clear";
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description What kind of elements. */
                collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
                /** @description Id of the element. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationElement"];
                    "application/xml": string;
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceElement: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description What kind of elements. */
                collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
                /** @description Id of the element. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigurationElement"];
                "application/xml": components["schemas"]["ConfigurationElement"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteElement: {
        parameters: {
            query?: {
                /** @description Take along what refers to it: constraints, references in sets and tags (and what that leaves empty), devices in fencing levels, primitives of a template. Refused when left out, as long as anything refers to it. */
                cascade?: boolean;
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description What kind of elements. */
                collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
                /** @description Id of the element. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchElement: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description What kind of elements. */
                collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
                /** @description Id of the element. */
                id: string;
            };
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396), or a JSON Patch (RFC 6902), as its Content-Type says; as application/json it is a merge patch. */
        requestBody: {
            content: {
                "application/json-patch+json": components["schemas"]["JsonPatch"];
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    moveElement: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description What kind of elements. */
                collection: "resources" | "constraints" | "nodes" | "tags" | "fencing-levels" | "alerts" | "acl-roles" | "acl-targets" | "acl-groups";
                /** @description Id of the element. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveElementBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    editConfiguration: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    edits: components["schemas"]["ConfigurationEdit"][];
                };
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpDefaults: {
        parameters: {
            query?: {
                /** @description The configuration as it was at this version of the cluster, date and time, or age, e.g. `2h`; the newest when left out. */
                at?: string;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedOpDefaultsElement"];
                    "application/xml": string;
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceOpDefaults: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedOpDefaultsElement"];
                "application/xml": components["schemas"]["NamedOpDefaultsElement"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchOpDefaults: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396), or a JSON Patch (RFC 6902), as its Content-Type says; as application/json it is a merge patch. */
        requestBody: {
            content: {
                "application/json-patch+json": components["schemas"]["JsonPatch"];
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProperties: {
        parameters: {
            query?: {
                /** @description The configuration as it was at this version of the cluster, date and time, or age, e.g. `2h`; the newest when left out. */
                at?: string;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedCrmConfigElement"];
                    "application/xml": string;
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceProperties: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedCrmConfigElement"];
                "application/xml": components["schemas"]["NamedCrmConfigElement"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchProperties: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396), or a JSON Patch (RFC 6902), as its Content-Type says; as application/json it is a merge patch. */
        requestBody: {
            content: {
                "application/json-patch+json": components["schemas"]["JsonPatch"];
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRscDefaults: {
        parameters: {
            query?: {
                /** @description The configuration as it was at this version of the cluster, date and time, or age, e.g. `2h`; the newest when left out. */
                at?: string;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
                /** @description ETag of an earlier answer to the same request: 304 while nothing has changed since. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedRscDefaultsElement"];
                    "application/xml": string;
                };
            };
            /** @description Nothing has changed since the ETag that was given. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceRscDefaults: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedRscDefaultsElement"];
                "application/xml": components["schemas"]["NamedRscDefaultsElement"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchRscDefaults: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Take also what is surely not meant: names that nothing reads, words that are none, operations that never happen. The event says what was forced. Refused (`doubtful-configuration`) when left out. */
                force?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396), or a JSON Patch (RFC 6902), as its Content-Type says; as application/json it is a merge patch. */
        requestBody: {
            content: {
                "application/json-patch+json": components["schemas"]["JsonPatch"];
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    diffConfigurations: {
        parameters: {
            query: {
                /** @description The configuration as it was: a version of the cluster, a date and time, or an age, e.g. `2h`. */
                from: string;
                /** @description Compared with this one; as it is now when left out. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationDiffDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Who; e.g. `user:alice`, `agent:node1`, `worker`. */
                actor?: string;
                /** @description By which command; e.g. `set-standby`. */
                command?: string;
                /** @description What followed from one request: its X-Request-Id. */
                correlation?: string;
                /** @description `next` of the previous page, with the same conditions and order. */
                cursor?: string;
                /** @description At or after. */
                from?: string;
                /** @description Entries on a page; 100 when left out. */
                limit?: number;
                /** @description Oldest first (`asc`, when left out) or newest first. */
                order?: "asc" | "desc";
                /** @description At or after: a date and time, or an age before now (`90s`, `15m`, `2h`, `7d`, `1w`). What counts is when the log dated the event, by the clock of the database; the dates of a cluster never go back, so after that clock was set back events bear the date of the one before until it has caught up. */
                since?: string;
                /** @description Concerns this; given several times, all of them. A name alone finds every event that names it: a resource, a node, a constraint, an operation, an attribute. With its kind (`resource:`, `node:`, `ticket:`, `attribute:`, `constraint:`) it finds what concerns the one of that kind; a resource, `db` or `resource:db`, also what concerns what it stands in (its group, its clone) or has in it, in the present configuration, and what refers to it; a node also changes of its entry there. */
                subject?: string[];
                /** @description All of these words stand in the reason that was given, whatever their case. */
                text?: string;
                /** @description Before. */
                to?: string;
                /** @description One of these types; several separated by commas, or given several times. There are ClusterCreated, ClusterStopping, ClusterStopCancelled, ClusterDeleted, EpochBegan, ConfigurationChanged, SecretErased, NodeJoined, NodeJoinRefused, FalseWitnessShown, NodeLeaseLost, LeaseLossPolicyTold, WatchdogTold, ManagedTold, NodeTroublesTold, NodeLeft, NodeShutdownRequested, NodeConfirmedDown, NodeAttributeSet, NodeAttributeCleared, NodeAttributeHeld, AttributeDelaySet, OperationRecorded, ResultsDropped, DebugOperationRequested, DebugOperationEnded, FailuresCleared, HistoryDeleted, FencingAllowed, FencingHistoryCleared, FencingRequested, FencingCompleted, AlertFailed, AlertRecovered, QuorumChanged, TicketChanged, TransitionPlanned, TransitionAborted, TransitionCompleted. */
                type?: ("ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
                /** @description Before: a date and time, or an age. */
                until?: string;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Version of the cluster at which the event stands. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportEvents: {
        parameters: {
            query?: {
                /** @description Who; e.g. `user:alice`, `agent:node1`, `worker`. */
                actor?: string;
                /** @description By which command; e.g. `set-standby`. */
                command?: string;
                /** @description What followed from one request: its X-Request-Id. */
                correlation?: string;
                /** @description When left out the header Accept says it; NDJSON when that leaves it open. */
                format?: "ndjson" | "csv";
                /** @description At or after. */
                from?: string;
                /** @description Oldest first (`asc`, when left out) or newest first. */
                order?: "asc" | "desc";
                /** @description At or after: a date and time, or an age before now (`90s`, `15m`, `2h`, `7d`, `1w`). What counts is when the log dated the event, by the clock of the database; the dates of a cluster never go back, so after that clock was set back events bear the date of the one before until it has caught up. */
                since?: string;
                /** @description Concerns this; given several times, all of them. A name alone finds every event that names it: a resource, a node, a constraint, an operation, an attribute. With its kind (`resource:`, `node:`, `ticket:`, `attribute:`, `constraint:`) it finds what concerns the one of that kind; a resource, `db` or `resource:db`, also what concerns what it stands in (its group, its clone) or has in it, in the present configuration, and what refers to it; a node also changes of its entry there. */
                subject?: string[];
                /** @description All of these words stand in the reason that was given, whatever their case. */
                text?: string;
                /** @description Before. */
                to?: string;
                /** @description One of these types; several separated by commas, or given several times. There are ClusterCreated, ClusterStopping, ClusterStopCancelled, ClusterDeleted, EpochBegan, ConfigurationChanged, SecretErased, NodeJoined, NodeJoinRefused, FalseWitnessShown, NodeLeaseLost, LeaseLossPolicyTold, WatchdogTold, ManagedTold, NodeTroublesTold, NodeLeft, NodeShutdownRequested, NodeConfirmedDown, NodeAttributeSet, NodeAttributeCleared, NodeAttributeHeld, AttributeDelaySet, OperationRecorded, ResultsDropped, DebugOperationRequested, DebugOperationEnded, FailuresCleared, HistoryDeleted, FencingAllowed, FencingHistoryCleared, FencingRequested, FencingCompleted, AlertFailed, AlertRecovered, QuorumChanged, TicketChanged, TransitionPlanned, TransitionAborted, TransitionCompleted. */
                type?: ("ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
                /** @description Before: a date and time, or an age. */
                until?: string;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description EventDto as JSON, one a line; or CSV with a header. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Who; e.g. `user:alice`, `agent:node1`, `worker`. */
                actor?: string;
                /** @description Events after this version; 0 for all. From now on when left out. The Last-Event-ID header, which clients send when they come back, wins. */
                after?: number;
                /** @description By which command; e.g. `set-standby`. */
                command?: string;
                /** @description What followed from one request: its X-Request-Id. */
                correlation?: string;
                /** @description Concerns this; given several times, all of them. A name alone finds every event that names it: a resource, a node, a constraint, an operation, an attribute. With its kind (`resource:`, `node:`, `ticket:`, `attribute:`, `constraint:`) it finds what concerns the one of that kind; a resource, `db` or `resource:db`, also what concerns what it stands in (its group, its clone) or has in it, in the present configuration, and what refers to it; a node also changes of its entry there. That is the configuration of when the stream was opened. */
                subject?: string[];
                /** @description All of these words stand in the reason that was given, whatever their case. */
                text?: string;
                /** @description One of these types; several separated by commas, or given several times. There are ClusterCreated, ClusterStopping, ClusterStopCancelled, ClusterDeleted, EpochBegan, ConfigurationChanged, SecretErased, NodeJoined, NodeJoinRefused, FalseWitnessShown, NodeLeaseLost, LeaseLossPolicyTold, WatchdogTold, ManagedTold, NodeTroublesTold, NodeLeft, NodeShutdownRequested, NodeConfirmedDown, NodeAttributeSet, NodeAttributeCleared, NodeAttributeHeld, AttributeDelaySet, OperationRecorded, ResultsDropped, DebugOperationRequested, DebugOperationEnded, FailuresCleared, HistoryDeleted, FencingAllowed, FencingHistoryCleared, FencingRequested, FencingCompleted, AlertFailed, AlertRecovered, QuorumChanged, TicketChanged, TransitionPlanned, TransitionAborted, TransitionCompleted. */
                type?: ("ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
            };
            header?: {
                /** @description `id` of the last event that was received; its version alone will do, and proves less. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Accel-Buffering": components["headers"]["AccelBuffering"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExplanation: {
        parameters: {
            query?: {
                /** @description Which actions; all when left out. */
                actions?: "planned" | "blocked" | "all";
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description Candidates and actions on this node only. */
                node?: string;
                /** @description Say what each score is made of; when left out, that is done where resources or a node are named. */
                parts?: boolean;
                /** @description These resources only; several separated by commas, or given several times. A group, clone or bundle stands for all its primitives, a primitive in a clone for its instances. */
                resource?: string[];
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterExplanationDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFailCounts: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description At this interval only, ms. */
                intervalMs?: number;
                /** @description On this node only. */
                node?: string;
                /** @description In this operation only. */
                operation?: string;
                /** @description Of this resource or instance only. */
                resource?: string;
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailCountListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    clearFailCounts: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description At this interval only, ms. */
                intervalMs?: number;
                /** @description On this node only. */
                node?: string;
                /** @description In this operation only. */
                operation?: string;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description Of this resource, with its instances, or of all in this group, clone or bundle. */
                resource?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFencing: {
        parameters: {
            query?: {
                /** @description Of this node, by its name, with the devices that can fence it; without it that of all. A node that was removed has a history, too. */
                node?: string;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FencingAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its whole name. */
                agent: string;
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getClusterMetrics: {
        parameters: {
            query?: {
                /** @description Also a series for each node, and one for each resource and node where it is active: as many as the cluster is large. */
                named?: boolean;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNodes: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNode: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeNode: {
        parameters: {
            query?: {
                /** @description Take along the location constraints and fencing levels that name the node alone. */
                cascade?: boolean;
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNodeAttributes: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeAttributeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNodeAttribute: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description Which of the two; when left out that which counts: until the reboot, where there is one, else the permanent one. */
                lifetime?: "forever" | "reboot";
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the attribute. */
                name: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeAttributeDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setNodeAttribute: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the attribute. */
                name: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetNodeAttributeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    clearNodeAttribute: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Which of the two; `forever` when left out. */
                lifetime?: "forever" | "reboot";
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the attribute. */
                name: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    allowNodeFencing: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmNodeDown: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmDownBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    fenceNode: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FenceBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    maintainNode: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    powerOnNode: {
        parameters: {
            query?: {
                /** @description Do nothing; answer whether it would be refused. */
                dryRun?: boolean;
                /** @description Seconds after which the answer comes all the same, and what was begun goes on; a little more than it may take when left out. */
                timeout?: number;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameNode: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameNodeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    standbyNode: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StandbyBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unmaintainNode: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unstandbyNode: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNodeUtilization: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UtilizationListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNodeUtilization: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of what is used up, e.g. `cpu`. */
                name: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UtilizationDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setNodeUtilization: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of what is used up, e.g. `cpu`. */
                name: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUtilizationBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    clearNodeUtilization: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Name of what is used up, e.g. `cpu`. */
                name: string;
                /** @description Name of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    tryLosses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResilienceBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResilienceDto"];
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    banResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `safe`: others may be moved, as long as they run on elsewhere, as what they were (`--no-strict` of `pcs`). */
                othersMayMove?: boolean;
                /** @description Refuse (409 `others-affected`) when anything but what is meant would be stopped, moved or demoted, and say what. */
                safe?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BanBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cleanUpResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CleanUpBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    clearResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClearBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    debugResource: {
        parameters: {
            query?: {
                /** @description Do nothing; answer whether it would be refused. */
                dryRun?: boolean;
                /** @description Seconds after which the answer comes all the same, and what was begun goes on; a little more than it may take when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled after it, within `timeout`, or 60 seconds; the answer has nothing of that (`settled`) as long as the operation goes on. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DebugBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    demoteResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `safe`: others may be moved, as long as they run on elsewhere, as what they were (`--no-strict` of `pcs`). */
                othersMayMove?: boolean;
                /** @description Refuse (409 `others-affected`) when anything but what is meant would be stopped, moved or demoted, and say what. */
                safe?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    maintainResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    manageResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    moveResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `safe`: others may be moved, as long as they run on elsewhere, as what they were (`--no-strict` of `pcs`). */
                othersMayMove?: boolean;
                /** @description Refuse (409 `others-affected`) when anything but what is meant would be stopped, moved or demoted, and say what. */
                safe?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MoveBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    promoteResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refreshResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    relocateResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameResourceBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restartResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unmaintainResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unmanageResource: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModeBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getResourceHistory: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, all else being the same. */
                cursor?: string;
                /** @description Entries on a page; 100 when left out. */
                limit?: number;
                /** @description Oldest first (`asc`, when left out) or newest first. */
                order?: "asc" | "desc";
                /** @description At or after: a date and time, or an age, e.g. `2h`. */
                since?: string;
                /** @description Before: a date and time, or an age. */
                until?: string;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the resource. */
                resource: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceHistoryDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreConfiguration: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the answer that the change rests on: refused with 412 when the configuration was changed since, whatever agents have reported; `*` for whatever is there now. Refused with 428 when it is left out. */
                "If-Match": string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSecret: {
        parameters: {
            query?: {
                /** @description Show the values of secrets in the place of references to them, as far as the server keeps them. Needs the right to see secrets, and each read is in the audit. */
                secrets?: "clear";
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the secret, as references have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretDetailsDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseSecret: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with what would be erased. */
                dryRun?: boolean;
                /** @description Why; kept with the event. No blanks only, and nothing that steers what shows it. */
                reason?: string;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the secret, as references have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedSecretDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    whatIf: {
        parameters: {
            query?: {
                /** @description The cluster as it was at this version, date and time, or age, e.g. `2h`; as it is when left out. */
                at?: string;
                /** @description Effective time, epoch seconds: what rules and time-outs make of it. The present, or that of the version, when left out. */
                now?: number;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhatIfBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhatIfDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStatus: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description These nodes only, what is or will be on them, and their failures; given once for each. */
                node?: string[];
                /** @description These resources only, with what is in them, and their failures; given once for each. The name of what is cloned stands for its instances. */
                resource?: string[];
                /** @description Only the resources and nodes that these tags name; given once for each. */
                tag?: string[];
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
                /** @description Only nodes and resources with which something is wrong (`wrong`). */
                wrong?: boolean;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusDto"];
                    "application/xml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTickets: {
        parameters: {
            query?: {
                /** @description As it was at this version, date and time, or age, e.g. `2h`. Not together with `version`. */
                at?: string;
                /** @description As it was at this version of the cluster, at the time of that event; as it is now when left out. */
                version?: number;
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TicketListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cleanUpTicket: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the ticket. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    grantTicket: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the ticket. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeTicket: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the ticket. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    standbyTicket: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the ticket. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unstandbyTicket: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Id of the ticket. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTransitions: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description `true`: in which some action did not end as expected; `false`: in which none did so far. */
                failed?: boolean;
                /** @description `true`: in which nodes were to be fenced; `false`: in which none was. */
                fencing?: boolean;
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
                /** @description In which something was planned on this node, or for it (fencing, shutdown). */
                node?: string;
                /** @description In which something was planned for this resource: a primitive, whatever the instance, or one that has others in it, for any of these in the present configuration. */
                resource?: string;
                /** @description At or after: a date and time, or an age before now (`90s`, `15m`, `2h`, `7d`, `1w`). What counts is when the log dated the event, by the clock of the database; the dates of a cluster never go back, so after that clock was set back events bear the date of the one before until it has caught up. */
                since?: string;
                /** @description In one of these states; several separated by commas. */
                status?: ("running" | "aborting" | "complete" | "aborted")[];
                /** @description Before: a date and time, or an age. */
                until?: string;
            };
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTransition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Number of the transition, from 1. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionDetailDto"];
                    "text/vnd.graphviz": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    abortTransition: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the changes and the schedule that would follow. */
                dryRun?: boolean;
                /** @description With `wait`: seconds after which the answer comes all the same; 60 when left out. */
                timeout?: number;
                /** @description Answer when the cluster has settled. */
                wait?: "settled";
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description ETag of the version that the request was made for; when the cluster is at another one, or its log began a new epoch since, it is refused with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Number of the transition, from 1. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteResultDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTransitionDot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Number of the transition, from 1. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vnd.graphviz": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    explainTransition: {
        parameters: {
            query?: {
                /** @description Which actions; all when left out. */
                actions?: "planned" | "blocked" | "all";
                /** @description Candidates and actions on this node only. */
                node?: string;
                /** @description Say what each score is made of; when left out, that is done where resources or a node are named. */
                parts?: boolean;
                /** @description These resources only; several separated by commas, or given several times. A group, clone or bundle stands for all its primitives, a primitive in a clone for its instances. */
                resource?: string[];
            };
            header?: {
                /** @description ETag that the answer must have: 412 where it would have another one. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Number of the transition, from 1. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransitionExplanationDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayTransition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or name of the cluster. */
                cluster: string;
                /** @description Number of the transition, from 1. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamAllEvents: {
        parameters: {
            query?: {
                /** @description Who; e.g. `user:alice`, `agent:node1`, `worker`. */
                actor?: string;
                /** @description Events after the one with this global position; 0 for all. From now on when left out. The Last-Event-ID header, which clients send when they come back, wins. */
                after?: number;
                /** @description Of this cluster: its id or name; given several times, of any of them. */
                cluster?: string[];
                /** @description By which command; e.g. `set-standby`. */
                command?: string;
                /** @description What followed from one request: its X-Request-Id. */
                correlation?: string;
                /** @description Concerns this; given several times, all of them. A name alone finds every event that names it: a resource, a node, a constraint, an operation, an attribute. With its kind (`resource:`, `node:`, `ticket:`, `attribute:`, `constraint:`) it finds what concerns the one of that kind, without what a resource stands in. */
                subject?: string[];
                /** @description All of these words stand in the reason that was given, whatever their case. */
                text?: string;
                /** @description One of these types; several separated by commas, or given several times. There are ClusterCreated, ClusterStopping, ClusterStopCancelled, ClusterDeleted, EpochBegan, ConfigurationChanged, SecretErased, NodeJoined, NodeJoinRefused, FalseWitnessShown, NodeLeaseLost, LeaseLossPolicyTold, WatchdogTold, ManagedTold, NodeTroublesTold, NodeLeft, NodeShutdownRequested, NodeConfirmedDown, NodeAttributeSet, NodeAttributeCleared, NodeAttributeHeld, AttributeDelaySet, OperationRecorded, ResultsDropped, DebugOperationRequested, DebugOperationEnded, FailuresCleared, HistoryDeleted, FencingAllowed, FencingHistoryCleared, FencingRequested, FencingCompleted, AlertFailed, AlertRecovered, QuorumChanged, TicketChanged, TransitionPlanned, TransitionAborted, TransitionCompleted. */
                type?: ("ClusterCreated" | "ClusterStopping" | "ClusterStopCancelled" | "ClusterDeleted" | "EpochBegan" | "ConfigurationChanged" | "SecretErased" | "NodeJoined" | "NodeJoinRefused" | "FalseWitnessShown" | "NodeLeaseLost" | "LeaseLossPolicyTold" | "WatchdogTold" | "ManagedTold" | "NodeTroublesTold" | "NodeLeft" | "NodeShutdownRequested" | "NodeConfirmedDown" | "NodeAttributeSet" | "NodeAttributeCleared" | "NodeAttributeHeld" | "AttributeDelaySet" | "OperationRecorded" | "ResultsDropped" | "DebugOperationRequested" | "DebugOperationEnded" | "FailuresCleared" | "HistoryDeleted" | "FencingAllowed" | "FencingHistoryCleared" | "FencingRequested" | "FencingCompleted" | "AlertFailed" | "AlertRecovered" | "QuorumChanged" | "TicketChanged" | "TransitionPlanned" | "TransitionAborted" | "TransitionCompleted")[];
            };
            header?: {
                /** @description `id` of the last event that was received. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Accel-Buffering": components["headers"]["AccelBuffering"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportEvidence: {
        parameters: {
            query?: {
                /** @description Ids or names of clusters; everything when left out. Whoever verifies a part has to say that it is one. */
                cluster?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One JSON document a line. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSignedHeads: {
        parameters: {
            query?: {
                /** @description Only statements after this one: its number, or `<number>.<digest>` with the first 16 to 64 digits of its digest (as `previous` of the next one has it). 410 when the log has no such statement, or, where its digest is given, another one of that number. */
                after?: string;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Statements on a page; 20 when left out. */
                limit?: number;
                /** @description Oldest first (`asc`) or newest first (when left out). */
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedHeadsListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAlertMetaAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listClusterOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterOptionListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConstraintAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFenceDeviceParameters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNodeAttributeNames: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOperationAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listResourceMetaAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulate: {
        parameters: {
            query?: {
                /** @description Which actions; all when left out. */
                actions?: "planned" | "blocked" | "all";
                /** @description Also say why; the other parameters than `now` select what is explained. */
                explain?: boolean;
                /** @description Candidates and actions on this node only. */
                node?: string;
                /** @description Effective time, epoch seconds; the present when left out. */
                now?: number;
                /** @description Say what each score is made of; when left out, that is done where resources or a node are named. */
                parts?: boolean;
                /** @description These resources only; several separated by commas, or given several times. A group, clone or bundle stands for all its primitives, a primitive in a clone for its instances. */
                resource?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A CIB with its status section, as XML, or the same as JSON (CibElementDto). */
        requestBody: {
            content: {
                "application/json": string | components["schemas"]["CibElementDto"];
                "application/xml": string | components["schemas"]["CibElementDto"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: {
                /** @description Make or revoke nothing; answer with the token that it would be. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTokenBody"];
            };
        };
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPreviewDto"];
                };
            };
            /** @description It was made. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTokenDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: {
                /** @description Make or revoke nothing; answer with the token that it would be. */
                dryRun?: boolean;
                /** @description Why; kept in the audit. No blanks only, and nothing that steers what shows it. */
                reason?: string;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPreviewDto"];
                };
            };
            /** @description It was done; there is nothing to tell. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the webhook that it would be. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPreviewDto"];
                };
            };
            /** @description It was made. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the webhook that it would be. */
                dryRun?: boolean;
                /** @description Why; kept in the audit. No blanks only, and nothing that steers what shows it. */
                reason?: string;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPreviewDto"];
                };
            };
            /** @description It was done; there is nothing to tell. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the webhook that it would be. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
                /** @description Refused with 412 when what is written is there (`*`), or when it is as it was at one of these ETags: what does not count for `If-Match` does not count here. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDto"] | components["schemas"]["WebhookPreviewDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description At most so many entries; 100 when left out. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the delivery. */
                delivery: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: {
                /** @description Send nothing; only say whether it could be asked for. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
            };
            path: {
                /** @description Id of the delivery. */
                delivery: string;
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAskPreviewDto"];
                };
            };
            /** @description Error */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                /** @description Change nothing; answer with the webhook that it would be. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
            };
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description What was asked for, or what became of it. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretDto"] | components["schemas"]["WebhookPreviewDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: {
                /** @description Send nothing; only say whether it could be asked for. */
                dryRun?: boolean;
            };
            header?: {
                /** @description A new random value for each request; the same when it is sent again. It is done once, and for 24 hours gets the answer that it was given then, which tells what was done, not what is so by now. A refusal is not kept: what was refused is tried anew. */
                "Idempotency-Key"?: string;
                /** @description `true`: only the answer to an earlier request with the same Idempotency-Key is asked for; where there is none, nothing is done (404 `request-not-found`; 409 `request-outcome-unknown` where nobody knows whether it was done). Any other value, and a request without an Idempotency-Key, are 400. */
                "Idempotency-Replay-Only"?: "true";
            };
            path: {
                /** @description Id of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Of a dry run. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAskPreviewDto"];
                };
            };
            /** @description Error */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Vary: components["headers"]["Vary"];
                    "X-Client-Request-Id": components["headers"]["ClientRequestId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NotAuthenticated"];
            403: components["responses"]["NotAllowed"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
