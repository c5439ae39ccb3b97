//! Who stands below whom: strict trees, as glTF demands, with the nodes that lowering adds of its own.

use scene::{Forest, Id, Node, Scene};

/// Parents and children such that every node has one parent at most and none is its own ancestor. Nodes of the scene
/// keep their numbers; those that lowering adds come behind them.
pub(super) struct Tree {
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

/// Where a node lies in its tree.
#[derive(Clone, Copy)]
struct Span {
    enter: usize,
    leave: usize,
    top: usize,
}

/// Answers who is above whom without walking.
pub(super) struct Order(Vec<Span>);

impl Tree {
    pub(super) fn of(scene: &Scene) -> Tree {
        let Forest { parents: parent, children, .. } = Forest::of(scene);
        Tree { parent, children }
    }

    /// The children of a node.
    pub(super) fn children(&self, node: usize) -> &[usize] {
        &self.children[node]
    }

    /// The node above a node.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.parent.get(node).copied().flatten()
    }

    /// A new node, below another or at the top.
    pub(super) fn add(&mut self, parent: Option<usize>) -> usize {
        let node = self.parent.len();
        self.parent.push(parent);
        self.children.push(Vec::new());
        if let Some(parent) = parent {
            self.children[parent].push(node);
        }
        node
    }

    /// Puts a node without a parent below another.
    pub(super) fn put_below(&mut self, node: usize, parent: usize) {
        self.parent[node] = Some(parent);
        self.children[parent].push(node);
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.parent.len()
    }

    pub(super) fn order(&self) -> Order {
        let mut spans = vec![Span { enter: 0, leave: 0, top: 0 }; self.len()];
        let mut clock = 0;
        for top in (0..self.len()).filter(|&node| self.parent[node].is_none()) {
            let mut open = vec![(top, 0)];
            while let Some((node, next)) = open.pop() {
                if next == 0 {
                    spans[node] = Span { enter: clock, leave: clock, top };
                    clock += 1;
                }
                match self.children[node].get(next) {
                    Some(&child) => open.extend([(node, next + 1), (child, 0)]),
                    None => spans[node].leave = clock,
                }
            }
        }
        Order(spans)
    }
}

impl Order {
    /// The node without a parent above a node.
    pub(super) fn top(&self, node: usize) -> usize {
        self.0[node].top
    }

    /// Whether a node is above another or that one itself.
    pub(super) fn holds(&self, above: Id<Node>, below: usize) -> bool {
        let (above, below) = (self.0[above.index()], self.0[below]);
        (above.enter..above.leave).contains(&below.enter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_second_parents_are_cut() {
        let mut scene = Scene::new();
        let ids: Vec<Id<Node>> = (0..4).map(|_| scene.nodes.add(Node::default())).collect();
        scene.nodes[ids[0]].children = vec![ids[1], ids[2]];
        scene.nodes[ids[1]].children = vec![ids[2], ids[3], ids[1]];
        scene.nodes[ids[3]].children = vec![ids[0]];
        let tree = Tree::of(&scene);
        assert_eq!(tree.children, [vec![1, 2], vec![3], vec![], vec![]]);
        assert_eq!(tree.parent, [None, Some(0), Some(0), Some(1)]);
        let order = tree.order();
        assert_eq!((0..4).map(|node| order.top(node)).collect::<Vec<_>>(), [0; 4]);
        assert!(order.holds(ids[1], 3) && order.holds(ids[3], 3) && !order.holds(ids[2], 3));
    }
}
