import { childElements, element } from '../xml/element.js';
import type { XmlElement, XmlNode } from '../xml/element.js';
import { rewriteChildren } from '../xml/rewrite.js';
import type { UpgradeLog } from './upgrade-log.js';

const PERMISSIONS = new Set(['read', 'write', 'deny']);

/**
 * From 1.x to 2.0: the syntax of access control (specification 01 §2.3). Permissions that a user had directly move to a role of his own, since
 * only roles have permissions now.
 */
export function upgradeFrom1(document: XmlElement, log: UpgradeLog): XmlElement {
  return rewriteChildren(document, (current) => (current.name === 'acls' ? upgradeAcls(current, log) : current));
}

function upgradeAcls(acls: XmlElement, log: UpgradeLog): XmlElement {
  if (!childElements(acls).some(({ name, children }) => name === 'acl_user' || children.some(isPermission))) return acls;
  const children: XmlNode[] = [];
  for (const child of acls.children) {
    if (child.kind === 'comment') children.push(child);
    else if (child.name === 'acl_user') children.push(...upgradeUser(child, log));
    else children.push({ ...child, children: child.children.map((permission) => upgradePermission(permission, log)) });
  }
  return { ...acls, children };
}

function upgradeUser(user: XmlElement, log: UpgradeLog): XmlElement[] {
  const id = user.attributes['id'] ?? '';
  const roles: XmlNode[] = user.children
    .filter((child) => child.kind === 'comment' || child.name === 'role_ref')
    .map((child) => (child.kind === 'comment' ? child : { ...child, name: 'role' }));
  const permissions = user.children.filter(isPermission);
  const target = { ...user, name: 'acl_target' };
  log.rewritten(user, '<acl_user> is <acl_target> now, and its <role_ref> are <role>');
  if (permissions.length === 0) return [{ ...target, children: roles }];
  const own = `_1TO2_${id}-role`;
  log.rewritten(user, `only roles have permissions now: its own are in the role "${own}"`);
  return [
    { ...target, children: [...roles, element('role', { id: own })] },
    element(
      'acl_role',
      { id: own },
      permissions.map((permission) => upgradePermission(permission, log)),
    ),
  ];
}

function isPermission(node: XmlNode): boolean {
  return node.kind === 'element' && PERMISSIONS.has(node.name);
}

function upgradePermission(node: XmlNode, log: UpgradeLog): XmlNode {
  if (node.kind === 'comment' || !PERMISSIONS.has(node.name)) return node;
  const { id = '', ref, tag, ...others } = node.attributes;
  const renamed = [...(ref === undefined ? [] : ['ref is reference now']), ...(tag === undefined ? [] : ['tag is object-type now'])];
  log.rewritten(node, [`<${node.name}> is <acl_permission kind="${node.name}"> now`, ...renamed].join(', '));
  return {
    ...node,
    name: 'acl_permission',
    attributes: {
      id,
      kind: node.name,
      ...others,
      ...(ref === undefined ? {} : { reference: ref }),
      ...(tag === undefined ? {} : { 'object-type': tag }),
    },
  };
}
