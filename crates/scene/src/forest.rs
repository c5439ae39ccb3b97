use crate::{Id, Node, Scene};

/// Who stands below whom, made strict: everything has one parent at most, the first that names it, and nothing is its
/// own ancestor. Links are taken in order; those that would break this, and those that name nothing, are cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// The one above each.
    pub parents: Vec<Option<usize>>,
    /// Those below each.
    pub children: Vec<Vec<usize>>,
    /// How many links each lost.
    pub cut: Vec<usize>,
}

impl Forest {
    /// The nodes of a scene, whether it shows them or not.
    pub fn of(scene: &Scene) -> Forest {
        Forest::from_links(scene.nodes.iter().map(|node| node.children.iter().map(|child| child.index())))
    }

    /// What names its children by their positions.
    pub fn from_links<L>(lists: impl ExactSizeIterator<Item = L>) -> Forest
    where
        L: IntoIterator<Item = usize>,
    {
        let count = lists.len();
        let mut forest = Forest { parents: vec![None; count], children: vec![Vec::new(); count], cut: vec![0; count] };
        // The topmost known ancestor of each, with shortcuts laid on the way.
        let mut top: Vec<usize> = (0..count).collect();
        for (parent, list) in lists.enumerate() {
            for child in list {
                let above = topmost(&mut top, parent);
                if child < count && forest.parents[child].is_none() && above != child {
                    forest.parents[child] = Some(parent);
                    forest.children[parent].push(child);
                    top[child] = above;
                } else {
                    forest.cut[parent] += 1;
                }
            }
        }
        forest
    }

    /// The node above a node.
    pub fn parent(&self, node: Id<Node>) -> Option<Id<Node>> {
        self.parents.get(node.index()).copied().flatten().map(Id::new)
    }

    /// A node and everything above it, upwards.
    pub fn chain(&self, node: Id<Node>) -> impl Iterator<Item = Id<Node>> + '_ {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }

    /// All of them, parents before their children.
    pub fn downwards(&self) -> Vec<usize> {
        self.below((0..self.parents.len()).filter(|&node| self.parents[node].is_none()).collect())
    }

    /// One of them and everything below it, parents before their children.
    pub fn tree(&self, top: usize) -> Vec<usize> {
        self.below(vec![top])
    }

    fn below(&self, mut order: Vec<usize>) -> Vec<usize> {
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            order.extend(&self.children[node]);
            at += 1;
        }
        order
    }
}

fn topmost(top: &mut [usize], mut node: usize) -> usize {
    while top[node] != node {
        top[node] = top[top[node]];
        node = top[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_second_parents_and_links_to_nothing_are_cut() {
        let forest = Forest::from_links([vec![1, 2], vec![2, 3, 1], vec![], vec![0, 9]].into_iter());
        assert_eq!(forest.children, [vec![1, 2], vec![3], vec![], vec![]]);
        assert_eq!(forest.parents, [None, Some(0), Some(0), Some(1)]);
        assert_eq!(forest.cut, [0, 2, 0, 2]);
        assert_eq!(forest.downwards(), [0, 1, 2, 3]);
        assert_eq!(forest.tree(1), [1, 3]);
        assert_eq!(forest.chain(Id::new(3)).map(Id::index).collect::<Vec<_>>(), [3, 1, 0]);
    }

    #[test]
    fn what_names_itself_stands_alone() {
        let forest = Forest::from_links([vec![0]].into_iter());
        assert_eq!((forest.parents, forest.cut), (vec![None], vec![1]));
    }
}
